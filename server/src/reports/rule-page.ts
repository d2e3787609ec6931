/** The documentation page of a rule. */
import type { Colors } from 'picocolors/types';

/** Returns the path of a rule's page in the package. */
export const docsOf = (rule: string): string => `docs/rules/${rule}.md`;

/**
 * The address of the documentation site without a slash at its end, which the build replaces (`client/build.mjs`); empty
 * if there is none.
 */
declare const HOMEPAGE: string | undefined;

const homepage = (): string | undefined => (typeof HOMEPAGE === 'string' && HOMEPAGE ? HOMEPAGE : undefined);

/** Returns the address of a rule's page on the documentation site, or undefined if the site is not known. */
export function webPageOf(rule: string, site = homepage()): string | undefined {
  return site === undefined ? undefined : `${site}/rules/${rule}.html`;
}

const FENCE = /^(`{3,}|~{3,})/;
const MARKER = /^\s*\^+ [a-z]/;

/** Colors the headings, fences and markers of a page for a terminal. Does not change the text. */
export function paintPage(page: string, colors: Colors): string {
  let fence = '';
  return page
    .split(/\r?\n/)
    .map((line) => {
      const mark = FENCE.exec(line)?.[1] ?? '';
      if (fence === '' && mark !== '') {
        fence = mark;
        return colors.dim(line);
      }
      if (fence !== '') {
        if (mark.startsWith(fence) && line.trim() === mark) {
          fence = '';
          return colors.dim(line);
        }
        return MARKER.test(line) ? colors.yellow(line) : line;
      }
      return /^#{1,6} /.test(line) ? colors.bold(line) : line;
    })
    .join('\n');
}

/** The title, and the line below it with the severity and the source. */
const NOT_PROSE = /^#|^[^\n]* · [^\n]*$/;

/** The text up to the end of the first sentence or up to the first colon, outside backticks. */
const SENTENCE = /^(?:`[^`]*`|[^`])*?[.!?:](?=\s|$)/;

/** Returns the first sentence of a rule's page, which states its purpose. */
export function purposeOf(page: string): string {
  const paragraphs = page.split(/\r?\n[ \t]*\r?\n/).map((paragraph) => paragraph.trim());
  const first = paragraphs.find((paragraph) => paragraph !== '' && !NOT_PROSE.test(paragraph)) ?? '';
  const line = first.replace(/\s*\r?\n\s*/g, ' ');
  return SENTENCE.exec(line)?.[0].replace(/:$/, '.') ?? line;
}
