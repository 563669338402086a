import type { Json } from './agent-adapter.js';

/** A JSON object that may hold comments, as agents allow them in their settings. Undefined for all else. */
export function parseSettings(text: string): Json | undefined {
  try {
    const value: unknown = JSON.parse(withoutComments(text.replace(/^\ufeff/, '')));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : undefined;
  } catch {
    return undefined;
  }
}

function withoutComments(text: string): string {
  return text.replace(/"(?:\\.|[^"\\])*"|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (part) => (part.startsWith('"') ? part : ' '));
}
