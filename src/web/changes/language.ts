/** File names whose ends do not name their language. The grammars know most ends by themselves. */
const BY_NAME: Readonly<Record<string, string>> = {
  makefile: 'makefile',
  gnumakefile: 'makefile',
  gemfile: 'ruby',
  rakefile: 'ruby',
  '.bashrc': 'bash',
  '.bash_profile': 'bash',
  '.profile': 'bash',
  '.zshrc': 'bash',
  '.gitconfig': 'ini',
  '.editorconfig': 'ini',
  '.npmrc': 'ini',
};

const BY_END: Readonly<Record<string, string>> = {
  jsonc: 'json',
  json5: 'json',
  webmanifest: 'json',
  vue: 'xml',
  svelte: 'xml',
  conf: 'ini',
};

/** What a file's text is probably written in, as a grammar's name or alias; undefined where the name says nothing. */
export function languageOf(path: string): string | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase();
  const named = Object.hasOwn(BY_NAME, name) ? BY_NAME[name] : undefined;
  const end = /.\.([a-z0-9_+-]+)$/.exec(name)?.[1];
  if (named !== undefined || end === undefined) return named;
  return Object.hasOwn(BY_END, end) ? BY_END[end] : end;
}
