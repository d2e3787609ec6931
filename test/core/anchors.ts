/** The anchors of a page, as GitHub and the documentation site generate them. */
import { anchorOf } from '../../site/pages.mjs';

const withoutFences = (page: string): string => page.replace(/^(`{3,}).*\n[\s\S]*?^\1$/gm, '');

/** Returns the headings of a page, without their `#` marks and without fences, for example `1. Skill files`. */
export const headingsIn = (page: string): readonly string[] =>
  [...withoutFences(page).matchAll(/^#{1,6} (.*)$/gm)].map(([, text = '']) => text);

/**
 * Returns the anchors of the headings, and of the rows of tables that others link to. A repeated heading gets a number,
 * such as `fixed-1`.
 */
export function anchorsIn(page: string): readonly string[] {
  const seen = new Map<string, number>();
  const ofRows = [...withoutFences(page).matchAll(/<a id="([\w-]+)">/g)].map(([, id = '']) => id);
  const ofHeadings = headingsIn(page).map((heading) => {
    const anchor = anchorOf(heading.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/[`*]/g, ''));
    const times = seen.get(anchor) ?? 0;
    seen.set(anchor, times + 1);
    return times === 0 ? anchor : `${anchor}-${times}`;
  });
  return [...ofHeadings, ...ofRows];
}
