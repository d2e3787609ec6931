/** The pages of packages, as Markdown: their links and pictures. */
import { execFileSync } from 'node:child_process';
import remarkParse from 'remark-parse';
import { unified } from 'unified';
import { addressesOf } from '../host/addresses.mjs';

interface Link {
  readonly kind: 'link' | 'image';
  readonly url: string;
  readonly alt: string;
}

interface Node {
  readonly type: string;
  readonly url?: string;
  readonly alt?: string | null;
  readonly value?: string;
  readonly children?: readonly Node[];
}

/** The addresses with which the packages were made. */
export const addresses = addressesOf(process.env.SKILL_COMPOSER_REPOSITORY ?? '');

const tracked = new Set(
  execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], { encoding: 'utf8' }).split('\n'),
);
/** A link may also lead to a folder. */
const isTracked = (path: string): boolean =>
  tracked.has(path) || [...tracked].some((one) => one.startsWith(`${path}/`));

const flat = (node: Node): readonly Node[] => [node, ...(node.children ?? []).flatMap(flat)];

export const nodesOf = (page: string): readonly Node[] => flat(unified().use(remarkParse).parse(page) as Node);

export const linksOf = (page: string): readonly Link[] =>
  nodesOf(page).flatMap(({ type, url = '', alt }) =>
    type === 'link' || type === 'image' ? [{ kind: type, url, alt: alt ?? '' }] : [],
  );

/** Returns the links that a page of a registry cannot follow: relative ones, and those to files that do not exist. */
export const brokenLinks = (page: string): readonly Link[] =>
  linksOf(page).filter(({ kind, url }) => {
    const base = `${kind === 'image' ? addresses.pictures : addresses.files}/`;
    if (!url.startsWith(base)) return !/^(https:\/\/|#)/.test(url);
    return !isTracked(decodeURIComponent(url.slice(base.length).replace(/#.*$/, '')));
  });
