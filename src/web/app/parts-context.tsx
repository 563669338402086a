import { createContext, useContext } from 'react';
import type { Login } from '../auth/login.js';
import type { Preferences } from '../settings/preferences.js';
import type { Connection } from './connection.js';

/** What lives as long as the page. */
export interface PageParts {
  readonly login: Login;
  readonly preferences: Preferences;
}

export const PagePartsContext = createContext<PageParts | undefined>(undefined);
export const ConnectionContext = createContext<Connection | undefined>(undefined);

export function usePageParts(): PageParts {
  const parts = useContext(PagePartsContext);
  if (parts === undefined) throw new Error('there is no page around this component');
  return parts;
}

export function useConnection(): Connection {
  const connection = useContext(ConnectionContext);
  if (connection === undefined) throw new Error('there is no login around this component');
  return connection;
}
