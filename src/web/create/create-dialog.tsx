import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type KeyboardEvent, useEffect, useState } from 'react';
import type { HostPreset, Session, Size } from '../../protocol/index.js';
import { IS_APPLE } from '../app/chords.js';
import { useConnection, usePageParts } from '../app/parts-context.js';
import { usePresets } from '../app/use-host.js';
import { Dialog } from '../parts/dialog.js';
import { type CreateDraft, type DraftProblem, draftProblem, fieldOf, firstPreset, problemText, requestOf } from './create-draft.js';
import { FieldNote } from './draft-field.js';
import { DraftFields } from './draft-fields.js';
import { InstallHint, PresetPicker } from './preset-picker.js';

interface CreateDialogProps {
  /** What the user asked for already. */
  readonly preset?: string | undefined;
  readonly cwd: string;
  /** Directories to offer. */
  readonly places: readonly string[];
  readonly size: Size | undefined;
  readonly onClose: () => void;
  readonly onCreated: (session: Session) => void;
}

/** Makes a session. */
export function CreateDialog(props: CreateDialogProps) {
  const presets = usePresets();
  if (presets === undefined) return null; // a moment; a dialog that changes under the hand would be worse
  return <CreateForm {...props} presets={presets} />;
}

function CreateForm({ presets, preset, cwd, places, size, onClose, onCreated }: CreateDialogProps & { presets: readonly HostPreset[] }) {
  const { lastPreset } = usePageParts().preferences;
  const [draft, setDraft] = useState<CreateDraft>(() => ({
    preset: preset ?? firstPreset(presets, lastPreset.value),
    name: '',
    cwd,
    command: '',
    env: [],
  }));
  const [problem, setProblem] = useState<DraftProblem>();
  const create = useCreate({ size, onCreated, onFailure: setProblem });
  const chosen = presets.find(({ id }) => id === draft.preset);
  const isMissing = chosen?.installed === false;
  const change = (part: Partial<CreateDraft>) => {
    setDraft({ ...draft, ...part });
    setProblem(undefined);
  };
  const submit = (event?: FormEvent) => {
    event?.preventDefault();
    const missing = draftProblem(draft);
    setProblem(missing);
    if (missing === undefined && !create.isPending && !isMissing) create.mutate(draft);
  };
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) submit();
  };
  return (
    <Dialog title="New session" onClose={onClose}>
      <form onSubmit={submit} onKeyDown={press} noValidate>
        <div className="dialog__body">
          <PresetPicker presets={presets} chosen={draft.preset} onChoose={(id) => change({ preset: id })} />
          <FieldNote problem={problem?.field === 'preset' ? problem.text : undefined} />
          {isMissing ? <InstallHint preset={chosen} /> : <DraftFields {...{ draft, problem, places, chosen, change }} />}
        </div>
        <DraftFoot
          problem={problem?.field === 'form' ? problem.text : undefined}
          busy={create.isPending}
          blocked={isMissing}
          onCancel={onClose}
        />
      </form>
    </Dialog>
  );
}

interface DraftFootProps {
  readonly problem: string | undefined;
  readonly busy: boolean;
  readonly blocked: boolean;
  readonly onCancel: () => void;
}

function DraftFoot({ problem, busy, blocked, onCancel }: DraftFootProps) {
  return (
    <div className="dialog__foot">
      <div className="grow">
        <FieldNote problem={problem} />
      </div>
      <button type="button" className="btn btn--lg btn--ghost" onClick={onCancel}>
        Cancel
      </button>
      <button type="submit" className="btn btn--lg btn--primary" disabled={busy || blocked}>
        {busy ? 'Starting…' : 'Start session'}
        <kbd className="kbd">{IS_APPLE ? '⌘↵' : 'Ctrl ↵'}</kbd>
      </button>
    </div>
  );
}

interface CreateEvents {
  readonly size: Size | undefined;
  readonly onCreated: (session: Session) => void;
  readonly onFailure: (problem: DraftProblem) => void;
}

function useCreate({ size, onCreated, onFailure }: CreateEvents) {
  const { client, feed, queries, madeHere } = useConnection();
  const { preferences } = usePageParts();
  useEffect(() => {
    void queries.invalidateQueries({ queryKey: ['presets'] }); // what was installed meanwhile should show
  }, [queries]);
  return useMutation({
    mutationFn: (draft: CreateDraft) => client.create(requestOf(draft, size)),
    onSuccess: (session, draft) => {
      preferences.lastCwd.set(draft.cwd.trim());
      preferences.lastPreset.set(draft.preset);
      madeHere.add(session.id);
      feed.put(session);
      onCreated(session);
    },
    onError: (error) => onFailure({ field: fieldOf(error), text: problemText(error) }),
  });
}
