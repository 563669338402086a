import { expect, test } from 'vitest';
import {
  manifestName,
  manifestPath,
  parseSalvageMessage,
  type SalvageManifest,
  salvageMessage,
} from '../../../src/daemon/worktree/salvage-manifest.js';

const MANIFEST: SalvageManifest = { version: 1, id: 'x', created_at: '2026-01-01T00:00:00.000Z', files: [] };

test('a message says it again, whatever names there are', () => {
  const odd = Buffer.from([0x66, 0xff, 0x0a]).toString('latin1');
  const names = [odd, Buffer.from('café\nMaestro-Salvage: {}').toString('latin1'), 'plain'];
  const files = names.map((name) => ({ ...manifestName(name), kind: 'untracked' as const, status: 'untracked' as const }));
  const read = parseSalvageMessage(salvageMessage({ ...MANIFEST, branch: 'a', name: 'x\nMaestro-Salvage: no', files }));
  expect(read?.files.map(manifestPath)).toEqual(names);
  expect(files.map(({ path, raw }) => [path, raw !== undefined])).toEqual([
    ['f�\n', true],
    ['café\nMaestro-Salvage: {}', false],
    ['plain', false],
  ]);
});

test('what is not of Maestro, torn, or of a later version is not read', () => {
  expect(parseSalvageMessage('A commit\n\nof somebody\n')).toBeUndefined();
  expect(parseSalvageMessage(salvageMessage(MANIFEST).slice(0, -5))).toBeUndefined();
  expect(parseSalvageMessage(salvageMessage(MANIFEST).replace('"version":1', '"version":2'))).toBeUndefined();
});
