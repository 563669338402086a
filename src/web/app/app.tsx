import { QueryClientProvider } from '@tanstack/react-query';
import { LoginPage } from '../auth/login-page.js';
import { useStore } from '../parts/store.js';
import { ConnectionContext, usePageParts } from './parts-context.js';
import { Workspace } from './workspace.js';

export function App() {
  const state = useStore(usePageParts().login);
  if (state.kind === 'signing_in') return null;
  if (state.kind === 'signed_out') return <LoginPage problem={state.problem} />;
  const { connection } = state;
  return (
    <ConnectionContext value={connection}>
      <QueryClientProvider client={connection.queries}>
        <Workspace />
      </QueryClientProvider>
    </ConnectionContext>
  );
}
