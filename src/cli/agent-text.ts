import type { AgentInfo } from '../protocol/index.js';
import { homeShort } from './home-path.js';
import type { Output } from './output.js';
import { printable, safe } from './printable.js';
import { type Cell, type Column, tableLines } from './table.js';

const COLUMNS: readonly Column[] = [
  { title: 'AGENT' },
  { title: 'LABEL', least: 8 },
  { title: 'INSTALLED', least: 9 },
  { title: 'VERIFIED', least: 8 },
  { title: 'CONVERSATION' },
  { title: 'ADDS', least: 8 },
];

const HOW_WORDS: Readonly<Record<AgentInfo['verified']['how'], string>> = {
  live: 'with the real program',
  help: 'only by its help text',
  docs: 'only by its documentation',
  config: 'not by Maestro: it comes from the config file',
};

const CONVERSATION_WORDS: Readonly<Record<AgentInfo['conversation'], string>> = {
  chosen: 'Maestro gives it its id before the start; a resume goes on with it',
  learnt: 'the agent tells its id; a resume goes on with it',
  none: 'not known; a resume runs the command again',
};

/** Agents, a line each. */
export function agentTable(agents: readonly AgentInfo[], output: Output): string[] {
  return tableLines(COLUMNS, agents.map(agentRow), output);
}

function agentRow({ id, label, installed, version, verified, conversation, injects, warnings }: AgentInfo): Cell[] {
  const style = warnings.length > 0 ? 'yellow' : installed ? 'green' : 'grey';
  return [
    { text: id },
    { text: label },
    { text: `${installed ? (version ?? 'yes') : 'no'}${warnings.length > 0 ? ' !' : ''}`, style },
    { text: [verified.how, ...verified.versions].join(' ') },
    { text: conversation },
    { text: injects.length === 0 ? '-' : injects.join('; ') },
  ];
}

/** All that there is to know of one agent, as lines for people. Safe for a terminal. */
export function agentLines({ verified, activity, injects, warnings, ...agent }: AgentInfo, home: string): string[] {
  const versions = verified.versions.length === 0 ? '' : `: ${verified.versions.join(', ')}`;
  return [
    safe`${agent.id}: ${agent.label}`,
    safe`  installed     ${installedText(agent, home)}`,
    safe`  verified      ${HOW_WORDS[verified.how]}${versions}`,
    safe`  conversation  ${CONVERSATION_WORDS[agent.conversation]}`,
    safe`  activity      ${activity.length === 0 ? 'not known' : activity.join(', ')}`,
    ...listed('Maestro adds, to each process alone:', injects),
    ...listed('warnings:', warnings),
  ];
}

function installedText(
  { installed, version, path, install }: Pick<AgentInfo, 'installed' | 'version' | 'path' | 'install'>,
  home: string,
): string {
  if (!installed) return install === undefined ? 'no' : `no; to install it: ${install}`;
  return [version ?? 'yes, of a version that it does not tell', ...(path === undefined ? [] : [homeShort(path, home)])].join(', ');
}

function listed(heading: string, sentences: readonly string[]): string[] {
  return sentences.length === 0 ? [] : [`  ${heading}`, ...sentences.map((sentence) => `    ${printable(sentence)}`)];
}
