import { fetchTransport, MaestroClient } from '../../client/index.js';
import { Connection } from '../app/connection.js';
import { errorText } from '../app/error-text.js';
import { browserStorage, onStorageChange } from '../parts/browser-storage.js';
import { Store } from '../parts/store.js';
import { text } from '../text/text.js';

/** Where the page keeps its half of the login. */
const SECRET_KEY = 'maestro.secret';

export type LoginState =
  | { readonly kind: 'signing_in' }
  | { readonly kind: 'signed_in'; readonly connection: Connection }
  | { readonly kind: 'signed_out'; readonly problem?: string };

/** Whether this browser may use the daemon, and the connection while it may. Pages of one browser log in and out together. */
export class Login extends Store<LoginState> {
  constructor() {
    super({ kind: 'signing_in' });
    onStorageChange(SECRET_KEY, (secret) => (secret === undefined ? this.#leave() : this.#enter(secret)));
  }

  /** Logs in by the code of the page's address, else goes on with the login there is. */
  async begin(code: string | undefined): Promise<void> {
    const problem = code === undefined ? undefined : await this.signIn(code);
    if (this.value.kind === 'signed_in') return;
    const secret = browserStorage.read(SECRET_KEY);
    if (secret !== undefined) this.#enter(secret);
    else this.#leave(problem);
  }

  /** Answers what went wrong, in words for the user, or undefined. */
  async signIn(code: string): Promise<string | undefined> {
    try {
      const { secret } = await new MaestroClient(fetchTransport()).login(code);
      browserStorage.write(SECRET_KEY, secret);
      this.#enter(secret);
      return undefined;
    } catch (error) {
      return errorText(error);
    }
  }

  async signOut(): Promise<void> {
    if (this.value.kind !== 'signed_in') return;
    await this.value.connection.client.logout().catch(() => {}); // the daemon may be away; this browser forgets all the same
    browserStorage.remove(SECRET_KEY);
    this.#leave();
  }

  #enter(secret: string): void {
    this.#close();
    const connection = new Connection(secret, () => this.#expired(connection, secret));
    this.set({ kind: 'signed_in', connection });
  }

  #expired(connection: Connection, secret: string): void {
    if (this.value.kind !== 'signed_in' || this.value.connection !== connection) return;
    if (browserStorage.read(SECRET_KEY) === secret) browserStorage.remove(SECRET_KEY);
    this.#leave(text.login.expired);
  }

  #leave(problem?: string): void {
    this.#close();
    this.set({ kind: 'signed_out', ...(problem === undefined ? {} : { problem }) });
  }

  #close(): void {
    if (this.value.kind === 'signed_in') this.value.connection.close();
  }
}
