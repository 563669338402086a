import { createRoot } from 'react-dom/client';
import { App } from './app/app.js';
import { PagePartsContext } from './app/parts-context.js';
import { currentRoute } from './app/route.js';
import { Login } from './auth/login.js';
import { takeCode } from './auth/login-code.js';
import { fetchTerminalFor } from './pane/late-terminal.js';
import { stayAboveKeyboard } from './parts/keyboard-room.js';
import { applyLook } from './settings/apply-look.js';
import { Preferences } from './settings/preferences.js';
import { languageFor, speak } from './text/text.js';

const code = takeCode(location, history);
fetchTerminalFor(currentRoute());
const preferences = new Preferences();
applyLook(preferences, document.documentElement);
stayAboveKeyboard(document.documentElement);
document.documentElement.lang = await speak(languageFor([preferences.language.value, ...navigator.languages]));
const login = new Login();
const root = document.getElementById('root');
if (root === null) throw new Error('the page has no root element');
createRoot(root).render(
  <PagePartsContext value={{ login, preferences }}>
    <App />
  </PagePartsContext>,
);
void login.begin(code);
// A login link that is opened in a page that is there already changes no more than the fragment.
window.addEventListener('hashchange', () => {
  const another = takeCode(location, history);
  if (another !== undefined) void login.begin(another);
});
