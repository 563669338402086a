import { type ReactNode, useId } from 'react';
import { useStore } from '../parts/store.js';
import type { Preference } from './preference.js';

/** Settings that belong together. */
export function SettingsPart({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="settings__part" aria-label={title}>
      <h3 className="settings__title">{title}</h3>
      {children}
    </section>
  );
}

interface SettingRowProps {
  readonly label: string;
  readonly hint?: string;
  /** The id of the field that the label is for; a group of buttons has its own label. */
  readonly htmlFor?: string;
  readonly children: ReactNode;
}

/** One setting: what it is, and where to change it. */
export function SettingRow({ label, hint, htmlFor, children }: SettingRowProps) {
  return (
    <div className="setting">
      <div className="setting__words">
        {htmlFor === undefined ? <span className="medium">{label}</span> : <SettingLabel htmlFor={htmlFor} label={label} />}
        {hint !== undefined && <span className="hint">{hint}</span>}
      </div>
      {children}
    </div>
  );
}

function SettingLabel({ htmlFor, label }: { htmlFor: string; label: string }) {
  return (
    <label className="medium" htmlFor={htmlFor}>
      {label}
    </label>
  );
}

interface SwitchRowProps {
  readonly label: string;
  readonly hint?: string;
  readonly preference: Preference<boolean>;
}

/** Something that is on or off. */
export function SwitchRow({ preference, ...words }: SwitchRowProps) {
  const isOn = useStore(preference);
  return <ToggleRow {...words} isOn={isOn} onToggle={() => preference.set(!isOn)} />;
}

interface ToggleRowProps {
  readonly label: string;
  readonly hint?: string;
  /** It cannot be on here; the hint says why. */
  readonly disabled?: boolean;
  readonly isOn: boolean;
  readonly onToggle: () => void;
}

/** Like {@link SwitchRow}, for what takes more than a preference. */
export function ToggleRow({ label, hint, disabled = false, isOn, onToggle }: ToggleRowProps) {
  const id = useId();
  return (
    <div className="setting">
      <div className="setting__words">
        <span id={`${id}-label`} className="medium">
          {label}
        </span>
        {hint !== undefined && (
          <span id={`${id}-hint`} className="hint">
            {hint}
          </span>
        )}
      </div>
      <button
        type="button"
        role="switch"
        className="switch"
        aria-checked={isOn}
        aria-labelledby={`${id}-label`}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        disabled={disabled}
        onClick={onToggle}
      />
    </div>
  );
}
