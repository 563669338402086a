import { type RefObject, useLayoutEffect } from 'react';

/** Values for the style sheet, by the names of their custom properties. One that is undefined is the style sheet's own. */
export type Variables = Readonly<Record<`--${string}`, string | number | undefined>>;

/** Tells the style sheet what only the page knows, such as how wide something was made. */
export function useVariables(element: RefObject<HTMLElement | null>, variables: Variables): void {
  const given = JSON.stringify(variables);
  useLayoutEffect(() => {
    const { style } = element.current ?? {};
    for (const [name, value] of Object.entries(JSON.parse(given) as Variables)) style?.setProperty(name, String(value));
    return () => {
      for (const name of Object.keys(JSON.parse(given) as Variables)) style?.removeProperty(name);
    };
  }, [element, given]);
}
