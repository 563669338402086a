import { useMutation } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { ProjectSetup, Session, Size } from '../../protocol/index.js';
import { useConnection, usePageParts } from '../app/parts-context.js';
import { text } from '../text/text.js';
import { type CreateDraft, requestOf, type SetupChoice, setupBase } from './create-draft.js';
import { type DraftProblem, problemOf, untrustedSetup } from './draft-problem.js';
import { withChoice } from './project-choices.js';
import { type SetupAnswer, setupKey } from './use-place.js';

interface CreateEvents {
  readonly size: Size | undefined;
  readonly onCreated: (session: Session) => void;
  readonly onFailure: (problem: DraftProblem) => void;
}

export interface CreateOrder {
  readonly draft: CreateDraft;
  /** The repository that it runs in, with a worktree or without. */
  readonly repo: string | undefined;
  readonly setup: SetupChoice;
  /** To be trusted first: what was shown. */
  readonly trust?: ProjectSetup | undefined;
}

/** Makes the session, and remembers what was chosen for its project. */
export function useCreate({ size, onCreated, onFailure }: CreateEvents) {
  const { client, feed, queries, madeHere } = useConnection();
  const remember = useRemember();
  useEffect(() => {
    // What was installed, committed or begun meanwhile should show.
    for (const key of ['presets', 'agents', 'projects', 'branches']) void queries.invalidateQueries({ queryKey: [key] });
  }, [queries]);
  return useMutation({
    mutationFn: async ({ draft, setup, trust }: CreateOrder) => {
      if (trust?.hash !== undefined) {
        await client.trust({ repo: trust.repo, hash: trust.hash });
        void queries.invalidateQueries({ queryKey: ['setup'] });
      }
      return client.create(requestOf(draft, { size, setup }));
    },
    onSuccess: (session, order) => {
      remember(order);
      madeHere.add(session.id);
      feed.put(session);
      onCreated(session);
    },
    onError: (error, { draft: { worktree } }) => {
      const untrusted = untrustedSetup(error);
      if (untrusted === undefined || worktree === undefined) return onFailure(problemOf(error));
      const known: SetupAnswer = { setup: untrusted };
      queries.setQueryData(setupKey(worktree.repo, setupBase(worktree)), known); // newer than what the form showed
      onFailure({ field: 'form', text: text.create.nothingStarted });
    },
  });
}

function useRemember(): (order: CreateOrder) => void {
  const { lastCwd, lastPreset, projects } = usePageParts().preferences;
  return ({ draft: { cwd, preset, worktree }, repo }) => {
    lastCwd.set(cwd.trim());
    lastPreset.set(preset);
    if (repo !== undefined) projects.set(withChoice(projects.value, repo, { worktree: worktree !== undefined, preset }));
  };
}
