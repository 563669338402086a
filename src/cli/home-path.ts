/** `path` with the home directory shown as `~`. */
export function homeShort(path: string, home: string): string {
  if (home.length < 2 || !path.startsWith(home)) return path;
  const rest = path.slice(home.length);
  return rest === '' || rest.startsWith('/') ? `~${rest}` : path;
}
