import type { Upload } from '../../protocol/index.js';
import type { UploadedFile } from '../store/upload-store.js';
import type { SessionContext } from './session-context.js';

/** Takes in files for sessions. */
export class SessionUploads {
  readonly #context: Pick<SessionContext, 'registry' | 'uploads'>;

  constructor(context: Pick<SessionContext, 'registry' | 'uploads'>) {
    this.#context = context;
  }

  /** Also for a session that does not run: it may be resumed with the file. Rejects with `not_found` and as the store does. */
  async add(id: string, file: UploadedFile): Promise<Upload> {
    return this.#context.uploads.add(this.#context.registry.need(id).id, file);
  }
}
