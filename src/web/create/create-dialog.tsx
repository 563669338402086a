import { type FormEvent, type KeyboardEvent, useState } from 'react';
import type { HostPreset, ProjectSetup, Session, Size } from '../../protocol/index.js';
import { usePageParts } from '../app/parts-context.js';
import { useAgents, usePresets } from '../app/use-host.js';
import { Dialog } from '../parts/dialog.js';
import { useStore } from '../parts/store.js';
import { text } from '../text/text.js';
import { type CreateDraft, type SetupChoice, setupBase } from './create-draft.js';
import { FieldNote } from './draft-field.js';
import { DraftFields } from './draft-fields.js';
import { DraftFoot } from './draft-foot.js';
import { type DraftProblem, draftProblem } from './draft-problem.js';
import { AgentWarnings, InstallHint, PresetPicker } from './preset-picker.js';
import { choiceOf } from './project-choices.js';
import { SetupNotice, SetupProblem } from './setup-notice.js';
import { randomTag, settledDraft, type TypedDraft } from './typed-draft.js';
import { useCreate } from './use-create.js';
import { usePlace, useProjectSetup, useSettled } from './use-place.js';

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
  const [typed, setTyped] = useState<TypedDraft>({ preset, name: '', cwd, command: '', env: [], prompt: '', existing: false, base: '' });
  const { draft, place, isRemembered } = useDraft(typed, presets);
  const [problem, setProblem] = useState<DraftProblem>();
  const create = useCreate({ size, onCreated, onFailure: setProblem });
  const { untrusted, unreadable } = useSetup(draft);
  const chosen = presets.find(({ id }) => id === draft.preset);
  const skips = untrusted !== undefined || unreadable !== undefined;
  const isMissing = chosen?.installed === false;
  const agents = useAgents();
  const change = (part: Partial<TypedDraft>) => {
    setTyped((before) => ({ ...before, ...part }));
    setProblem(undefined);
  };
  const start = (setup: SetupChoice, trust?: ProjectSetup) => {
    const missing = draftProblem(draft);
    setProblem(missing);
    if (missing === undefined && !create.isPending && !isMissing) create.mutate({ draft, repo: place.repo, setup, trust });
  };
  /** Nothing that was not trusted by its own button runs. */
  const submit = (event?: FormEvent) => {
    event?.preventDefault();
    start(skips ? 'skip' : 'run');
  };
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) submit();
  };
  return (
    <Dialog title={text.create.title} onClose={onClose}>
      <form onSubmit={submit} onKeyDown={press} noValidate>
        <div className="dialog__body">
          <PresetPicker presets={presets} agents={agents} chosen={draft.preset} onChoose={(id) => change({ preset: id })} />
          <FieldNote problem={problem?.field === 'preset' ? problem.text : undefined} />
          <AgentWarnings agent={agents.find(({ id }) => id === draft.preset)} />
          {isMissing ? <InstallHint preset={chosen} /> : <DraftFields {...{ draft, place, problem, places, chosen, change }} />}
          {untrusted !== undefined && <SetupNotice setup={untrusted} />}
          {unreadable !== undefined && <SetupProblem problem={unreadable} />}
        </div>
        <DraftFoot
          problem={problem?.field === 'form' ? problem.text : undefined}
          note={isRemembered && place.project !== undefined ? text.create.remembered(place.project.name) : undefined}
          busy={create.isPending}
          blocked={isMissing}
          skips={skips}
          onTrust={untrusted === undefined ? undefined : () => start('run', untrusted)}
          onCancel={onClose}
        />
      </form>
    </Dialog>
  );
}

/** The draft as it would be sent: what was decided here, and for the rest what is known of the project. */
function useDraft(typed: TypedDraft, presets: readonly HostPreset[]) {
  const { lastPreset, projects } = usePageParts().preferences;
  const [tag] = useState(randomTag);
  const place = usePlace(typed.cwd);
  const remembered = choiceOf(useStore(projects), place.repo ?? place.path);
  const draft = settledDraft(typed, { presets, lastPreset: lastPreset.value, place, remembered, tag });
  return { draft, place, isRemembered: remembered !== undefined };
}

/** What would run in the draft's worktree and may not yet, or why that cannot be told. */
function useSetup({ worktree }: CreateDraft): { untrusted?: ProjectSetup; unreadable?: string } {
  const base = useSettled(worktree === undefined ? '' : setupBase(worktree));
  const { setup, problem } = useProjectSetup(worktree?.repo, base);
  if (worktree === undefined) return {};
  if (problem !== undefined) return { unreadable: problem };
  return setup?.trusted === false ? { untrusted: setup } : {};
}
