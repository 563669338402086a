import type { Json } from './agent-adapter.js';

/** `settings` with the hooks behind those that it has. Undefined when what it has for hooks is not in the form of hooks. */
export function withHooks(settings: Json, hooks: Readonly<Record<string, readonly unknown[]>>): Json | undefined {
  const own = settings.hooks ?? {};
  if (typeof own !== 'object' || Array.isArray(own) || own === null) return undefined;
  const all: Record<string, unknown> = { ...own };
  for (const [event, added] of Object.entries(hooks)) {
    const earlier = Object.hasOwn(all, event) ? all[event] : [];
    if (!Array.isArray(earlier)) return undefined;
    all[event] = [...earlier, ...added];
  }
  return { ...settings, hooks: all };
}
