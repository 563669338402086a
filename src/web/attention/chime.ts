import type { OccasionKind } from './occasion.js';

/** In Hz, one after the other: up for a question, down for what is over. */
const NOTES: Readonly<Record<OccasionKind, readonly number[]>> = {
  waiting: [587, 880],
  done: [784, 587],
  failed: [392, 294],
};
const NOTE_SECONDS = 0.16;
const FADE_SECONDS = 0.35;
const VOLUME = 0.14;
/** A browser that wants a click in the page first never lets the sound start. */
const START_MS = 500;

/** A short tone. Silence where the browser does not allow one. */
export async function chime(kind: OccasionKind): Promise<void> {
  try {
    const audio = new AudioContext();
    await Promise.race([audio.resume(), new Promise((resolve) => setTimeout(resolve, START_MS))]);
    if (audio.state === 'running') play(audio, NOTES[kind]);
    else await audio.close();
  } catch {
    // No sound on this device.
  }
}

function play(audio: AudioContext, notes: readonly number[]): void {
  notes.forEach((frequency, at) => {
    const start = audio.currentTime + at * NOTE_SECONDS;
    const oscillator = new OscillatorNode(audio, { frequency });
    const gain = new GainNode(audio, { gain: 0 });
    gain.gain.setValueAtTime(0, start);
    gain.gain.linearRampToValueAtTime(VOLUME, start + 0.01);
    gain.gain.exponentialRampToValueAtTime(0.001, start + FADE_SECONDS);
    oscillator.connect(gain).connect(audio.destination);
    oscillator.start(start);
    oscillator.stop(start + FADE_SECONDS);
    if (at === notes.length - 1) oscillator.onended = () => void audio.close();
  });
}
