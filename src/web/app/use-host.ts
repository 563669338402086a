import { useQuery } from '@tanstack/react-query';
import type { AgentInfo, Host, HostPreset } from '../../protocol/index.js';
import { useConnection } from './parts-context.js';

/** Facts about the host; undefined until they are known. */
export function useHost(): Host | undefined {
  const { client } = useConnection();
  return useQuery({ queryKey: ['host'], queryFn: ({ signal }) => client.host({ signal }), staleTime: Number.POSITIVE_INFINITY }).data;
}

/** The presets, and which of them are installed. Undefined until known. */
export function usePresets(): readonly HostPreset[] | undefined {
  const { client } = useConnection();
  return useQuery({ queryKey: ['presets'], queryFn: ({ signal }) => client.presets({ signal }) }).data;
}

const NO_AGENTS: readonly AgentInfo[] = [];

/** The agents of the host, with their versions. None until they have been asked for those. */
export function useAgents(): readonly AgentInfo[] {
  const { client } = useConnection();
  return useQuery({ queryKey: ['agents'], queryFn: ({ signal }) => client.agents({ signal }) }).data ?? NO_AGENTS;
}
