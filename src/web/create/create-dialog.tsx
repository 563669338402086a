import { useMutation } from '@tanstack/react-query';
import { type FormEvent, type KeyboardEvent, useEffect, useId, useState } from 'react';
import type { HostPreset, Session, Size } from '../../protocol/index.js';
import { IS_APPLE } from '../app/chords.js';
import { useConnection, usePageParts } from '../app/parts-context.js';
import { usePresets } from '../app/use-host.js';
import { Dialog } from '../parts/dialog.js';
import { Icon } from '../parts/icon.js';
import { type CreateDraft, CUSTOM, type DraftProblem, draftProblem, fieldOf, firstPreset, problemText, requestOf } from './create-draft.js';
import { DraftInput, FieldNote } from './draft-field.js';
import { addedLine, EnvLines } from './env-lines.js';
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

interface DraftFieldsProps {
  readonly draft: CreateDraft;
  readonly problem: DraftProblem | undefined;
  readonly places: readonly string[];
  readonly chosen: HostPreset | undefined;
  readonly change: (part: Partial<CreateDraft>) => void;
}

function DraftFields({ draft, problem, places, chosen, change }: DraftFieldsProps) {
  const list = useId();
  const isCustom = draft.preset === CUSTOM;
  return (
    <>
      {isCustom && (
        <DraftInput
          name="command"
          label="Command"
          mono
          data-autofocus
          before={<Icon name="terminal" quiet />}
          placeholder="npm run dev"
          hint="Shell text, run by /bin/sh"
          problem={problem}
          value={draft.command}
          onChange={(event) => change({ command: event.target.value })}
        />
      )}
      <div className="fields--two">
        <DraftInput
          name="cwd"
          label="Directory"
          mono
          list={list}
          before={<Icon name="folder" quiet />}
          placeholder="~/src/app"
          problem={problem}
          value={draft.cwd}
          onChange={(event) => change({ cwd: event.target.value })}
        />
        <DraftInput
          name="name"
          label={
            <>
              Name <span className="fg3">optional</span>
            </>
          }
          data-autofocus={isCustom ? undefined : true}
          placeholder={isCustom ? 'as the command' : (chosen?.id ?? '')}
          problem={problem}
          value={draft.name}
          onChange={(event) => change({ name: event.target.value })}
        />
      </div>
      <datalist id={list}>
        {places.map((place) => (
          <option key={place} value={place} />
        ))}
      </datalist>
      <EnvSection draft={draft} problem={problem} change={change} />
    </>
  );
}

function EnvSection({ draft, problem, change }: Pick<DraftFieldsProps, 'draft' | 'problem' | 'change'>) {
  const { env } = draft;
  return (
    <div className="field">
      <div className="optrow">
        <span className="label grow">
          Environment {env.length === 0 ? <span className="fg3">optional</span> : <span className="fg3 num">({env.length})</span>}
        </span>
        <button type="button" className="btn btn--ghost btn--sm" onClick={() => change({ env: addedLine(env) })}>
          <Icon name="plus" small />
          Add a variable
        </button>
      </div>
      <EnvLines lines={env} onChange={(lines) => change({ env: lines })} />
      <FieldNote problem={problem?.field === 'env' ? problem.text : undefined} />
    </div>
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
