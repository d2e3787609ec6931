/** Where the anchors of a file lead, once for each file. */
import { type Anchors, anchorsOf } from '../languages/markdown/anchors.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import type { Span } from '../text.ts';

export const anchorsIn = (file: SkillFile): Anchors => file.derive(makeAnchors);

const makeAnchors = ({ text, body }: SkillFile): Anchors => anchorsOf(text, body?.headings ?? []);

/** The place of an anchor; undefined where there is none. Letters count alike in either case, as in browsers on GitHub. */
export function findAnchor(file: SkillFile, anchor: string): Span | undefined {
  const { headings, others } = anchorsIn(file);
  const wanted = anchor.toLowerCase().replace(/^user-content-/, '');
  return headings.find((one) => one.anchor === wanted)?.heading.span ?? others.get(wanted);
}

/** Whether an anchor is the name of a place at all: neither the top, a line of a source, words to be searched for, nor a word to fill in. */
export const isNameOfPlace = (anchor: string): boolean =>
  !/^$|^(?:top|anchor|section|heading|link|id)$|^L\d+(?:C\d+)?(?:-L?\d+(?:C\d+)?)?$|^:~:|^[!/]|[{}<>$…]/i.test(anchor);
