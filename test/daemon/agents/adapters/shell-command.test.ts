import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { planResume, planStart } from '../../../../src/daemon/agents/adapters/launch-plan.js';
import { assignedVariables, programName, readSimpleCommand } from '../../../../src/daemon/agents/adapters/shell-command.js';
import { FakeAgent } from './fake-agent.js';
import { agent, CONTEXT, ID } from './plans.js';

let fake: FakeAgent;
beforeAll(() => {
  fake = new FakeAgent('claude', 'codex', 'gemini');
});
afterAll(() => fake[Symbol.dispose]());

describe('a simple command', () => {
  test('has its program behind assignments, exec and env', () => {
    const command = readSimpleCommand(`A=1 B='x y' exec env C="$D" E=~/z "/opt/my agents/claude" -x`);
    expect(command && programName(command)).toBe('claude');
    expect(command && assignedVariables(command)).toEqual({ A: '1', B: 'x y', C: undefined, E: undefined });
    expect(command?.arguments.map(({ value }) => value)).toEqual(['-x']);
  });

  test('tells where an expansion stands, and never what it becomes', () => {
    const words = readSimpleCommand(`claude "$A" "x$B y" "$(cat p.md)" '$C' \\$D "\${E}" "$ 5" ~/f`)?.arguments;
    expect(words?.map(({ value, isLiteral }) => [value, isLiteral])).toEqual([
      ['\0', false],
      ['x\0 y', false],
      ['\0', false],
      ['$C', true],
      ['$D', true],
      ['\0', false],
      ['$ 5', true],
      ['~/f', false],
    ]);
  });

  test('has no program whose name an expansion decides', () => {
    const command = readSimpleCommand('"$AGENT" -x');
    expect(command && programName(command)).toBeUndefined();
  });

  test('is read as the shell reads it, whatever stands in it', () => {
    const pieces = [
      ' ',
      '  ',
      '\n',
      '\t',
      "'",
      '"',
      '\\',
      '$',
      '~',
      '=',
      '-',
      '*',
      '?',
      '[',
      ';',
      '|',
      '&',
      '<',
      '(',
      ')',
      '{',
      '}',
      '#',
      '!',
    ];
    const text = fc
      .array(fc.constantFrom(...pieces, 'a', 'B', '9', 'é', '\u00a0', '😀', '"$A"', '"x $A"', '\\\n', "'a b'", '"c d"'), { maxLength: 14 })
      .map((parts) => `claude ${parts.join('')}`);
    const accepted: { source: string; values: (string | undefined)[] }[] = [];
    fc.assert(
      fc.property(text, (source) => {
        const command = readSimpleCommand(source);
        if (command) accepted.push({ source, values: command.arguments.map(({ value, isLiteral }) => (isLiteral ? value : undefined)) });
      }),
      { numRuns: 1500 },
    );
    const cases = accepted.slice(0, 250);
    expect(cases.length).toBeGreaterThan(50);
    const ran = fake.run(
      cases.map(({ source }) => source),
      { A: '1 2' },
    );
    for (const [index, { source, values }] of cases.entries()) {
      const known = ran[index]?.map((word, place) => (values[place] === undefined ? undefined : word));
      expect({ source, words: known }).toEqual({ source, words: values });
    }
  });
});

const QUOTINGS: readonly ((word: string) => string)[] = [
  (word) => `'${word.replaceAll("'", "'\\''")}'`,
  (word) => `"${word.replace(/[\\"$`]/g, '\\$&')}"`,
  (word) => (word === '' ? "''" : word.replace(/[^A-Za-z0-9_\n]/gu, '\\$&').replaceAll('\n', "'\n'")),
];

const word = fc.string({ unit: fc.constantFrom(...'ab9 \'"\\$`*?[]{}()<>|&;#!~=%\n\té-'), maxLength: 8 });
const quotedWord = fc.tuple(word, fc.constantFrom(...QUOTINGS)).map(([text, quoting]) => ({ text, source: quoting(text) }));
/** What a user may add to `claude`: the source, and whether a resume keeps it. */
const addition = fc.oneof(
  quotedWord
    .filter(({ text }) => !text.startsWith('-') && !/^(?:a|9)$/.test(text))
    .map(({ source }) => ({ source: `--model ${source}`, isKept: true })),
  quotedWord.map(({ source }) => ({ source: `--append-system-prompt=${source}`, isKept: true })),
  fc.constantFrom('--verbose', '--ide', '-n x', '--permission-mode plan').map((source) => ({ source, isKept: true })),
);
const prompt = quotedWord.filter(({ text }) => !text.startsWith('-') && text.trim().length > 1);

describe('the words of the user', () => {
  test('reach the agent as they are at the start, and without the prompt on a resume', () => {
    const cases: { command: string; kept: string; start: string; resume: string }[] = [];
    fc.assert(
      fc.property(
        fc.array(addition, { maxLength: 5 }),
        fc.option(prompt),
        fc.constantFrom('', 'exec ', 'env X=1 '),
        (added, first, lead) => {
          const text = (words: readonly string[]) => [`${lead}claude`, ...words].join(' ');
          const kept = text(added.filter(({ isKept }) => isKept).map(({ source }) => source));
          const command = text([...added.map(({ source }) => source), ...(first ? [first.source] : [])]);
          const request = { agent: agent(command), command, agent_session: ID, context: CONTEXT };
          cases.push({ command, kept, start: planStart(request).command, resume: planResume({ ...request, isBegun: true }).command });
        },
      ),
      { numRuns: 80 },
    );
    const ran = fake.run(cases.flatMap(({ command, kept, start, resume }) => [command, kept, start, resume]));
    for (const [index, { command, kept: keptCommand }] of cases.entries()) {
      const [given = [], kept = [], start = [], resume = []] = ran.slice(4 * index);
      expect({ command, start: start.slice(4) }).toEqual({ command, start: given });
      expect(start.slice(0, 3)).toEqual(['--session-id', ID, '--settings']);
      expect({ keptCommand, resume: resume.slice(4) }).toEqual({ keptCommand, resume: kept });
      expect(resume.slice(0, 3)).toEqual(['--resume', ID, '--settings']);
    }
  });
});
