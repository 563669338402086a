import { createRoot } from 'react-dom/client';
import { App } from './app/app.js';
import { PagePartsContext } from './app/parts-context.js';
import { Login } from './auth/login.js';
import { takeCode } from './auth/login-code.js';
import { stayAboveKeyboard } from './parts/keyboard-room.js';
import { applyTheme, Preferences } from './settings/preferences.js';

const code = takeCode(location, history);
const preferences = new Preferences();
applyTheme(preferences, document.documentElement);
stayAboveKeyboard(document.documentElement);
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
