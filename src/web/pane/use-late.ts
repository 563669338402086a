import { useEffect, useState } from 'react';

/** True once `condition` has held for `ms`: what passes sooner is not worth a word. */
export function useLate(condition: boolean, ms: number): boolean {
  const [late, setLate] = useState(false);
  useEffect(() => {
    if (!condition) return;
    const timer = setTimeout(() => setLate(true), ms);
    return () => {
      clearTimeout(timer);
      setLate(false);
    };
  }, [condition, ms]);
  return condition && late;
}
