import { useMutation, useQuery } from '@tanstack/react-query';
import type { RemovedWorktree, RestoredSalvage, Salvage, WorktreeEntry } from '../../protocol/index.js';
import { errorText } from '../app/error-text.js';
import { useConnection } from '../app/parts-context.js';
import { useHost } from '../app/use-host.js';
import { visibleText } from '../parts/visible-text.js';
import { shortPath } from '../session/project.js';
import { text } from '../text/text.js';
import { restoreCommand } from './inventory-words.js';
import { salvageName } from './worktree-words.js';

/** The worktrees that Maestro made, as they are now. */
export function useWorktrees() {
  const { client } = useConnection();
  return useQuery({ queryKey: ['worktrees'], queryFn: ({ signal }) => client.worktrees({ signal }), staleTime: 0 });
}

/** What was saved of worktrees that were removed by force. */
export function useSalvages() {
  const { client } = useConnection();
  return useQuery({ queryKey: ['salvages'], queryFn: ({ signal }) => client.salvages({ signal }), staleTime: 0 });
}

/** What was done; `command` brings back what was saved. */
export interface DoneNote {
  readonly text: string;
  readonly command?: string;
}

/** Where it is told how it went. */
interface ChangeEvents {
  readonly onDone: (note: DoneNote) => void;
  readonly onFailure: (text: string) => void;
}

interface Change<Q, A> extends ChangeEvents {
  readonly change: (asked: Q) => Promise<A>;
  readonly noteOf: (answer: A) => DoneNote;
}

/** Both lists are asked for again, whether it went well or not: what was shown may not be so any more. */
function useChange<Q, A>({ change, noteOf, onDone, onFailure }: Change<Q, A>) {
  const { queries } = useConnection();
  return useMutation({
    mutationFn: change,
    onSuccess: (answer) => onDone(noteOf(answer)),
    onError: (error) => onFailure(visibleText(errorText(error))),
    onSettled: () => {
      for (const key of ['worktrees', 'salvages']) void queries.invalidateQueries({ queryKey: [key] });
    },
  });
}

/** Removes the worktree; with `force` what it holds is saved first. */
export function useRemoveWorktree(entry: WorktreeEntry, events: ChangeEvents) {
  const { client } = useConnection();
  const home = useHost()?.home;
  const noteOf = ({ path, branch_kept, salvage_ref }: RemovedWorktree): DoneNote => {
    const removed = text.worktrees.removed(visibleText(shortPath(path, home)), branch_kept && visibleText(branch_kept));
    if (salvage_ref === undefined) return { text: removed };
    return { text: text.worktrees.removedAndSaved(removed), command: restoreCommand(entry.id) };
  };
  return useChange({ change: (force: boolean) => client.removeWorktree(entry.id, { force }), noteOf, ...events });
}

export function useRestoreSalvage(salvage: Salvage, events: ChangeEvents) {
  const { client } = useConnection();
  const home = useHost()?.home;
  const noteOf = ({ path, branch, created_branch }: RestoredSalvage): DoneNote => {
    const where = visibleText(shortPath(path, home));
    return {
      text: text.worktrees.restored({ name: salvageName(salvage), path: where, branch: visibleText(branch), isNew: created_branch }),
    };
  };
  return useChange({ change: (_asked: undefined) => client.restoreSalvage(salvage.id), noteOf, ...events });
}

export function useDropSalvage(salvage: Salvage, events: ChangeEvents) {
  const { client } = useConnection();
  const noteOf = (): DoneNote => ({ text: text.worktrees.dropped(salvageName(salvage)) });
  return useChange({ change: (_asked: undefined) => client.dropSalvage(salvage.id), noteOf, ...events });
}
