/**
 * Does what a keystroke would wait for before there is one. The first defect in a JSON Schema, which may be the `typ` on the
 * way to `type`, has the meta-schema compiled: 60 ms, in which nothing that is typed is shown. A workspace in shorthand never
 * pays for it.
 */
import type { SkillDocument } from '../skill/document.ts';
import { prepareToRefuse } from '../skill/schema.ts';

/** Whoever opens a file does something in the next moment, too. */
const LATER_MS = 400;

/** To be called with each file that is opened; `checked` resolves when nothing else is left to do. */
export function createWarmUp(checked: () => Promise<void>): (document: SkillDocument | undefined) => void {
  let isWarm = false;
  return (document) => {
    const { input, output } = document?.contract ?? {};
    if (isWarm || ![input, output].some((side) => side?.schema.form === 'json-schema')) return;
    isWarm = true;
    void checked().then(() => setTimeout(prepareToRefuse, LATER_MS));
  };
}
