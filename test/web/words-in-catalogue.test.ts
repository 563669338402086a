import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseSync } from 'vite';
import { describe, expect, test } from 'vitest';

/** What this needs to know of a syntax tree. */
interface SyntaxNode {
  readonly type: string;
  readonly [key: string]: unknown;
}

const WEB = fileURLToPath(new URL('../../src/web', import.meta.url));

/** Attributes and properties whose strings people see or hear, on elements and components alike. */
const SPOKEN =
  /^(aria-(label|description|placeholder|roledescription|valuetext)|title|placeholder|label|hint|lead|note|question|verb|none|detail|heading|text)$/;

/** What is the same in every language: the product, commands, paths, the names of keys, drawings, media queries. */
const UNIVERSAL =
  /^(Maestro|maestro [a-z ]+.*|npm run dev|git|HEAD|~\/src\/app|\.maestro\/config\.toml|(Ctrl|Shift|Alt)\b.*|Esc|<.*|\((?:max|min)-width: .*)$/s;

const LETTERS = /\p{L}{2}|^\p{L}$/u;
const SENTENCE = /\p{L}{2,} (?:.* )?\p{L}{2,}/u;
/** A single word as a label has it. */
const LABEL = /^\p{Lu}\p{Ll}{2,}…?$/u;

describe('the scan for words', () => {
  test.each([
    ['<b>Hello</b>', ['Hello']],
    [`<b>{isOn ? "On" : \`Off by \${n}\`}</b>`, ['On', 'Off by ']],
    ['<b aria-label="Close" className="btn two words" />', ['Close']],
    ['<Field hint={isOn && "Such as this"} name="cwd" />', ['Such as this']],
    [`say(\`\${name} is gone\`)`, [' is gone']],
    ["const LABELS = { a: { label: 'Added' } }", ['Added']],
    ["const TITLES = { a: 'Two words' }", ['Two words']],
    ["const TITLES = { a: isOn ? 'Title' : 'b' }", ['Title']],
    ["isNew ? 'Renamed' : 'e'", ['Renamed']],
    ["event.key === 'Enter' || KEYS.includes('Escape')", []],
    ['throw new Error("the page has no root")', []],
    [`<b className={\`btn btn--big \${name}\`}>{text.a.b} · {"#"}</b>`, []],
    ['matchMedia("(max-width: 640px)")', []],
    ['(meta.media = isOn ? "all" : "not all")', []],
  ])('of %s finds %j', (code, found) => {
    expect(wordsIn(`const it = () => ${code.startsWith('const') || code.startsWith('throw') ? `{ ${code} }` : code};`)).toEqual(found);
  });
});

describe('the page', () => {
  const files = readdirSync(WEB, { recursive: true, encoding: 'utf8' }).filter((path) => /\.tsx?$/.test(path) && !path.startsWith('text/'));

  test('says nothing that is not in its catalogue', () => {
    const strays = files.flatMap((path) => wordsIn(readFileSync(join(WEB, path), 'utf8')).map((words) => `${path}: ${words.trim()}`));
    expect(strays).toEqual([]);
  });

  test('takes its words when it says them, not before the language is known', () => {
    const early = files.filter((path) => readsEarly(parsed(readFileSync(join(WEB, path), 'utf8')), false));
    expect(early).toEqual([]);
  });
});

function parsed(code: string): SyntaxNode {
  const { program, errors } = parseSync('page.tsx', code);
  expect(errors).toEqual([]);
  return program as unknown as SyntaxNode;
}

/** String literals that somebody reads. */
function wordsIn(code: string): string[] {
  return [...strayWords(parsed(code), 'code')].filter((words) => !UNIVERSAL.test(words.trim()));
}

/** Where a node stands: in what is shown as it is, in the answer of a function or a table, in other code, or where nobody reads. */
type Position = 'shown' | 'answer' | 'code' | 'unread';

function* strayWords(node: SyntaxNode, position: Position): Generator<string> {
  if (position === 'unread') return;
  const words = literalOf(node);
  if (words !== undefined && isSaid(words, position)) yield words;
  for (const [key, child] of childrenOf(node)) yield* strayWords(child, positionOf(node, key, position));
}

function isSaid(words: string, position: Position): boolean {
  if (position === 'shown') return LETTERS.test(words);
  return SENTENCE.test(words) || (position === 'answer' && LABEL.test(words));
}

function literalOf(node: SyntaxNode): string | undefined {
  if (node.type === 'JSXText' || node.type === 'Literal') return typeof node.value === 'string' ? node.value : undefined;
  if (node.type !== 'TemplateElement') return undefined;
  const { cooked } = node.value as { cooked?: string };
  return cooked;
}

/** Only the answers of a choice are shown, not what it is made by. */
function positionOf(node: SyntaxNode, key: string, position: Position): Position {
  switch (node.type) {
    case 'JSXElement':
    case 'JSXFragment':
      return key === 'children' ? 'shown' : 'code';
    case 'JSXAttribute':
      return attributePosition(node);
    case 'Property':
      return key !== 'value' ? 'code' : SPOKEN.test(nameOf(node.key)) ? 'shown' : 'answer';
    case 'ArrowFunctionExpression':
      return key === 'body' ? 'answer' : 'code';
    case 'ReturnStatement':
      return 'answer';
    case 'JSXExpressionContainer':
    case 'TemplateLiteral':
      return key === 'expressions' && position !== 'shown' ? 'code' : position;
    case 'ConditionalExpression':
    case 'LogicalExpression':
      return key === 'test' || key === 'left' ? 'code' : position;
    case 'NewExpression':
    case 'ThrowStatement':
      return /Error$/.test(nameOf(node.callee)) ? 'unread' : 'code';
    case 'ImportDeclaration':
    case 'TSLiteralType':
    case 'TSUnionType':
      return 'unread';
    case 'AssignmentExpression':
      return nameOf((node.left as SyntaxNode).property) === 'media' ? 'unread' : 'code';
    case 'CallExpression':
      return /^(matchMedia|querySelector|querySelectorAll|closest|getContext)$/.test(calledName(node)) ? 'unread' : 'code';
    default:
      return 'code';
  }
}

function attributePosition(node: SyntaxNode): Position {
  const name = nameOf(node.name);
  if (SPOKEN.test(name)) return 'shown';
  return /^(className|style|d|viewBox|autoComplete|fontFamily|rel)$/.test(name) ? 'unread' : 'code';
}

function calledName({ callee }: SyntaxNode): string {
  const node = callee as SyntaxNode;
  return nameOf(node.type === 'MemberExpression' ? node.property : node);
}

function nameOf(node: unknown): string {
  const { name, value } = (node ?? {}) as { name?: unknown; value?: unknown };
  return typeof name === 'string' ? name : typeof value === 'string' ? value : '';
}

/** True where `text` of the catalogue is read while the module is loaded. */
function readsEarly(node: SyntaxNode, isInside: boolean): boolean {
  if (isInside || node.type === 'ImportDeclaration') return false;
  if (node.type === 'MemberExpression' && nameOf(node.object) === 'text') return true;
  const opens = /Function|MethodDefinition|PropertyDefinition/.test(node.type);
  return childrenOf(node).some(([, child]) => readsEarly(child, opens));
}

function childrenOf(node: SyntaxNode): [key: string, child: SyntaxNode][] {
  return Object.entries(node).flatMap(([key, value]) =>
    (Array.isArray(value) ? value : [value]).filter(isNode).map((child): [string, SyntaxNode] => [key, child]),
  );
}

function isNode(value: unknown): value is SyntaxNode {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
}
