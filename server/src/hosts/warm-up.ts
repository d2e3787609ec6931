/**
 * Does what a keystroke would wait for before there is one. The first defect in a JSON Schema, which may be the `typ` on the
 * way to `type`, has the meta-schema compiled: 60 ms, in which nothing that is typed is shown. A workspace in shorthand never
 * pays for it.
 */

import { prepareToRefuse } from '../languages/schema/schema.ts';
import type { SkillDocument } from '../skill/document.ts';
import type { Typing } from './typing.ts';

/** Whoever opens a file does something in the next moment, too. */
const LATER_MS = 400;

export interface WarmUpOptions {
  /** Resolves when nothing else is left to do. */
  readonly checked: () => Promise<void>;
  readonly typing: Typing;
  readonly prepare?: () => void;
  readonly later?: (work: () => void, milliseconds: number) => unknown;
}

/** To be called with each file that is opened. */
export function createWarmUp(options: WarmUpOptions): (document: SkillDocument | undefined) => void {
  const { checked, typing, prepare = prepareToRefuse, later = setTimeout } = options;
  let isWarm = false;
  const prepareAtRest = (): void => {
    // However long somebody types, there is no hurry.
    const wait = typing.left(Number.POSITIVE_INFINITY);
    if (wait > 0) later(prepareAtRest, wait);
    else prepare();
  };
  return (document) => {
    const { input, output } = document?.contract ?? {};
    if (isWarm || ![input, output].some((side) => side?.schema.form === 'json-schema')) return;
    isWarm = true;
    void checked().then(() => later(prepareAtRest, LATER_MS));
  };
}
