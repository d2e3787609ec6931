/**
 * The origin of a converted `SKILL.md`: the path of its source, and the digests of the files at the time of the
 * conversion (docs/sharing.md, "The origin"). Both are strings under `metadata`, which no known client lists.
 */
import { insertEntry } from '../languages/yaml/edit.ts';
import { findEntry, findValue, stringOf } from '../languages/yaml/node.ts';
import { formatScalar } from '../languages/yaml/quote.ts';
import { afterBreak, applyEdits, endOfLine, lineStart, type Span, span } from '../text.ts';
import { decoded, fileNameOf, folderOf, resolvePath } from '../vocabulary/dialect.ts';
import { bytesDigest, contentDigest } from './content-digest.ts';
import { namesProblem } from './kebab-name.ts';
import { SkillFile } from './skill-file.ts';

const SOURCE_KEY = 'generated-from';
const DIGESTS_KEY = 'generated-digests';

/** The keys of `metadata` that contain the origin. */
export const ORIGIN_KEYS: ReadonlySet<string> = new Set([SOURCE_KEY, DIGESTS_KEY]);

export interface Origin {
  /** The path of the source relative to the folder of the `SKILL.md`, with `/`. */
  readonly source: string;
  /** The digest of the source and of the skills that it composes. */
  readonly sources: string;
  /** The digest of each written file, by its path below the folder of the `SKILL.md`. */
  readonly files: ReadonlyMap<string, string>;
  /** The span of the entry `generated-from`. */
  readonly span: Span;
}

/** The number of hexadecimal digits of a digest. A digest detects edits, and does not protect against forgery. */
const DIGITS = 12;

/** Returns the digest of a file. Line breaks do not count, because git changes them when it checks a file out. */
export const fileDigest = (bytes: Uint8Array): string => bytesDigest(withoutReturns(bytes)).slice(0, DIGITS);

/** Returns the digest of a text file. */
export const textDigest = (text: string): string =>
  contentDigest(text.replaceAll('\r\n', '\n')).split(':', 2)[1]?.slice(0, DIGITS) ?? '';

/** Returns the digest of several texts in this order. A byte order mark does not count, because editors hide it. */
export const textsDigest = (texts: readonly string[]): string =>
  textDigest(texts.map((text) => textDigest(text.replace(/^\uFEFF/, ''))).join());

/** Returns the bytes without the `\r` of each `\r\n`. */
function withoutReturns(bytes: Uint8Array): Uint8Array {
  if (!bytes.includes(RETURN)) return bytes;
  return bytes.filter((byte, at) => byte !== RETURN || bytes[at + 1] !== LINE_FEED);
}

const RETURN = 13;
const LINE_FEED = 10;

/**
 * Returns the digest of a `SKILL.md` without the line of the digests, because this line contains the result. A line with
 * other text than `withOrigin` writes is an edit, and counts.
 */
export function ownDigest(file: SkillFile): string {
  const text = file.text.replaceAll('\r\n', '\n');
  const { root } = new SkillFile(file.uri, text).frontmatter.tree;
  const entry = findEntry(findValue(root, 'metadata'), DIGESTS_KEY);
  const digests = stringOf(entry?.value);
  if (!entry || digests === undefined) return textDigest(text);
  const end = afterBreak(text, endOfLine(text, entry.span.end));
  const rest = text.slice(0, lineStart(text, entry.span.start)) + text.slice(end);
  return textDigest(withDigests(rest, digests) === text ? rest : text);
}

/**
 * Returns a `SKILL.md` with its origin. `others` contains the digests of the files beside the `SKILL.md`, by path.
 */
export function withOrigin(
  text: string,
  { source, sources }: Pick<Origin, 'source' | 'sources'>,
  others: ReadonlyMap<string, string>,
): string {
  const { root } = new SkillFile('file:///x/SKILL.md', text).frontmatter.tree;
  if (root?.kind !== 'map') return text;
  const metadata = findValue(root, 'metadata');
  const line = `${SOURCE_KEY}: ${formatScalar(source)}`;
  const edits =
    metadata?.kind === 'map'
      ? insertEntry(text, metadata, SOURCE_KEY, formatScalar(source))
      : insertEntry(text, root, 'metadata', `\n  ${line}`, { before: 'allowed-tools' });
  const named = applyEdits(text, edits);
  const digests = [...others].map(([path, digest]) => ` ${encodedPath(path)}=${digest}`).join('');
  return withDigests(named, `${sources} SKILL.md=${textDigest(named)}${digests}`) ?? text;
}

/** Returns a `SKILL.md` with the line of the digests; undefined if `metadata` is not a map. */
function withDigests(text: string, digests: string): string | undefined {
  const metadata = findValue(new SkillFile('file:///x/SKILL.md', text).frontmatter.tree.root, 'metadata');
  if (metadata?.kind !== 'map') return undefined;
  return applyEdits(text, insertEntry(text, metadata, DIGESTS_KEY, formatScalar(digests), { after: SOURCE_KEY }));
}

/** Returns the path without the characters that separate entries. */
const encodedPath = (path: string): string => path.replace(/[\s%=]/gu, encodeURIComponent);

/**
 * Returns the origin of a `SKILL.md`; undefined if it has none, names too many files or a path outside the folder.
 * Never throws.
 */
export const originOf = (file: SkillFile): Origin | undefined => file.derive(readOrigin);

function readOrigin({ text, frontmatter }: SkillFile): Origin | undefined {
  if (!text.includes(DIGESTS_KEY)) return undefined;
  const metadata = findValue(frontmatter.tree.root, 'metadata');
  const entry = findEntry(metadata, SOURCE_KEY);
  const source = stringOf(entry?.value);
  const [sources = '', ...files] = stringOf(findValue(metadata, DIGESTS_KEY))?.split(' ') ?? [];
  if (!entry || source === undefined || source === '' || !DIGEST.test(sources)) return undefined;
  if (files.length > MAX_FILES) return undefined;
  const found = new Map<string, string>();
  for (const one of files) {
    const at = one.lastIndexOf('=');
    const path = decoded(one.slice(0, at));
    if (namesProblem(path) !== undefined || !DIGEST.test(one.slice(at + 1))) return undefined;
    found.set(path, one.slice(at + 1));
  }
  return found.has('SKILL.md')
    ? { source, sources, files: found, span: span(entry.span.start, entry.span.end) }
    : undefined;
}

/** The maximum number of files in an origin. */
const MAX_FILES = 1_000;

/** Returns the URI of the source of the `SKILL.md` at `uri`. */
export const sourceUri = (uri: string, { source }: Pick<Origin, 'source'>): string =>
  resolvePath(folderOf(uri), source);

const DIGEST = new RegExp(`^[0-9a-f]{${DIGITS}}$`);

/**
 * Returns the path from a folder to a source, both as URIs: only the name of the file if they share only the root, the
 * home of the user or a folder above it, so that no file contains the name of a user.
 */
export function sourcePath(folder: string, uri: string, home: string | undefined): string {
  const [from, to] = [partsOf(folder), partsOf(folderOf(uri))];
  let shared = 0;
  while (shared < from.length && shared < to.length && from[shared] === to[shared]) shared++;
  const above = from.slice(0, shared).join('/');
  const isRoot = shared < (/^[a-z](?:%3a|:)$/i.test(from[1] ?? '') ? 3 : 2);
  const isPrivate = isRoot || `${home === undefined ? '' : partsOf(home).join('/')}/`.startsWith(`${above}/`);
  const ways = isPrivate ? [] : [...from.slice(shared).map(() => '..'), ...to.slice(shared)];
  return [...ways, fileNameOf(uri)].map(decoded).join('/');
}

/** Returns the root of a URI, then the names in its path. */
function partsOf(uri: string): readonly string[] {
  const root = /^[a-z][a-z0-9+.-]*:(?:\/\/[^/]*)?/i.exec(uri)?.[0] ?? '';
  return [root, ...uri.slice(root.length).split('/').slice(1)];
}
