/** Completion of references `#kind:name` in prose (docs/format.md, section 5), and of anchors in links. */

import type { Body, ReferenceKind } from '../../skill/body.ts';
import { resolvePath } from '../../skill-folder/links.ts';
import { anchorsIn } from '../../skill-folder/misread-fences.ts';
import { lineStart, type Span, span, touches } from '../../text.ts';
import { decoded, folderOf } from '../../vocabulary/dialect.ts';
import { AUTHORING_TOOLS } from '../../vocabulary/known-names.ts';
import { trusted } from '../markdown.ts';
import { nameProposals, skillProposals } from './names.ts';
import { type Cursor, Kind, type Offer, type Proposals, Rank } from './proposal.ts';

/** Matches the text up to the cursor. Only names of artifacts may contain spaces. */
const REFERENCE =
  /(?:^|[\s([{<>"'“‘«*_~|,;—–])(#(?:([a-z]*)|(tool|skill|interrupt):([\w./-]*)|(artifact):([^\n\r#]*)))$/;

const MAX_LENGTH = 200;

/** The maximum number of skills that are proposed together with tools, interrupts and artifacts. */
const MAX_BESIDE_OTHERS = 200;

export function offerReference(cursor: Cursor): Offer | undefined {
  const { file, offset } = cursor;
  const { text, body } = file;
  const line = text.slice(Math.max(lineStart(text, offset), offset - MAX_LENGTH), offset);
  const match = REFERENCE.exec(line);
  if (!match || !body || !isProse(body, text, offset)) return undefined;
  const [, whole = '', , plainKind, , artifactKind, artifactName] = match;
  const start = offset - whole.length;
  const kind = (plainKind ?? artifactKind) as ReferenceKind | undefined;
  // After the complete name of an artifact, the text is prose again.
  if (artifactName !== undefined && !isNamePart(cursor, artifactName)) return undefined;
  const place = span(start, offset + (/^[\w./-]*/.exec(text.slice(offset, offset + MAX_LENGTH))?.[0].length ?? 0));
  return kind ? offerKind(cursor, kind, place) : offerAllKinds(cursor, place);
}

const isNamePart = ({ file }: Cursor, written: string): boolean =>
  !/\s/.test(written) ||
  (file.body?.artifacts ?? []).some(({ name }) => name !== written.trimEnd() && name.startsWith(written));

/** Returns whether an offset is outside code, comments and link targets. */
export function isProse({ fences, codeSpans, htmlComments, links }: Body, text: string, offset: number): boolean {
  const inside = (place: Span) => place.start < offset && offset < place.end;
  const inFence = fences.some(
    ({ span: place, closed }) => inside(place) || (offset === place.end && (!closed || text[offset - 1] !== '`')),
  );
  return (
    !inFence &&
    !codeSpans.some(inside) &&
    !htmlComments.some(({ span: place }) => inside(place)) &&
    !links.some(({ urlSpan }) => touches(urlSpan, offset) && urlSpan.end > urlSpan.start)
  );
}

const KINDS: readonly (readonly [ReferenceKind, string])[] = [
  ['tool', 'A tool that the skill uses.'],
  ['skill', 'Another skill.'],
  ['interrupt', 'A point at which the skill can pause.'],
  ['artifact', 'Another artifact of this file.'],
];

/** Offers the kinds and all targets after a single `#`. */
function offerAllKinds(cursor: Cursor, place: Span): Offer {
  const kinds = KINDS.map(([kind, docs]) => ({
    label: `#${kind}:`,
    kind: Kind.Keyword,
    docs: trusted(docs),
    rank: Rank.demanded,
  }));
  // Both `#rea` and `#tool:rea` match.
  const offers = KINDS.map(([kind]) => offerKind(cursor, kind, place, (name) => `#${name} #${kind}:${name}`));
  const all = offers.flatMap(({ proposals }) => proposals);
  return { span: place, proposals: [...kinds, ...all], isIncomplete: offers.some(({ isIncomplete }) => isIncomplete) };
}

/** Offers the targets of one kind. `filterOf` returns the text that the typed text must match. */
function offerKind(cursor: Cursor, kind: ReferenceKind, place: Span, filterOf?: (name: string) => string): Offer {
  const { proposals, isIncomplete } = namesOf(cursor, kind, place);
  const declared = declaredNames(cursor, kind);
  const misspelt = misspeltNames(cursor, kind);
  return {
    span: place,
    isIncomplete,
    proposals: proposals.map(({ label: name, ...proposal }) => ({
      ...proposal,
      label: `#${kind}:${name}`,
      insert: `#${kind}:${name}`,
      rank: misspelt.has(name) ? Rank.doubtful : declared.has(name) ? Rank.own : proposal.rank,
      ...(filterOf && { filter: filterOf(name) }),
    })),
  };
}

function namesOf(cursor: Cursor, kind: ReferenceKind, place: Span): Proposals {
  const { file, offset } = cursor;
  if (kind === 'skill') {
    const word = file.text.slice(place.start, offset).slice(1);
    if (word.startsWith('skill:')) return skillProposals(cursor, word.slice('skill:'.length));
    return skillProposals(cursor, 'skill'.startsWith(word) ? '' : word, false, MAX_BESIDE_OTHERS);
  }
  if (kind === 'artifact') {
    const artifacts = file.body?.artifacts ?? [];
    return { proposals: artifacts.map(({ name, kind: what }) => ({ label: name, kind: Kind.File, detail: what })) };
  }
  const known = nameProposals(cursor, kind);
  // Names that the skill declares are proposed even if the catalog does not contain them.
  const names = new Set(known.map(({ label }) => label));
  const extra = [...declaredNames(cursor, kind)].filter((name) => !names.has(name));
  const own = extra.map((label) => ({ label, kind: kind === 'tool' ? Kind.Function : Kind.Event }));
  return { proposals: [...own, ...known] };
}

/** Returns the declared tools and interrupts that are missing from a complete catalog. */
function misspeltNames({ analysis, file }: Cursor, kind: ReferenceKind): ReadonlySet<string> {
  const catalog = analysis.catalogOf(file.uri);
  const { tools, interrupts } = file.contract;
  const unknown =
    kind === 'tool' && catalog.toolsKnown
      ? tools.filter(({ name }) => !analysis.isKnownTool(catalog, name) && !AUTHORING_TOOLS.includes(name))
      : kind === 'interrupt' && !catalog.isBroken
        ? interrupts.filter(({ name }) => !catalog.interrupts.has(name))
        : [];
  return new Set(unknown.map(({ name }) => name));
}

function declaredNames({ file }: Cursor, kind: ReferenceKind): ReadonlySet<string> {
  const { tools, interrupts, composes } = file.contract;
  if (kind === 'tool') return new Set(tools.map(({ name }) => name));
  if (kind === 'interrupt') return new Set(interrupts.map(({ name }) => name));
  return new Set(kind === 'skill' ? composes.map(({ name }) => name) : []);
}

const MAX_HEADING_LENGTH = 400;

/**
 * Matches a link target up to the cursor, inline or after `[label]:`. Captures the path and the typed part of the
 * anchor.
 */
const TARGET = /(?:\]\(\s{0,9}<?|^ {0,3}\[[^\]]{1,99}\]:\s{1,9}<?)([^\s()<>#]*)#([^\s()<>#]*)$/;

/** Offers the headings that a link in a `SKILL.md` can refer to after `#`. */
export function offerAnchor({ analysis, file, offset }: Cursor): Offer | undefined {
  if (file.dialect !== 'agent-skill' || offset < file.frontmatter.bodyStart) return undefined;
  const line = /[^\r\n]*$/.exec(file.text.slice(Math.max(0, offset - MAX_HEADING_LENGTH), offset))?.[0] ?? '';
  const [, path = '', typed = ''] = TARGET.exec(line) ?? [];
  if (!TARGET.test(line) || /^[a-z][a-z0-9+.-]*:/i.test(path)) return undefined;
  const uri = resolvePath(folderOf(file.uri), decoded(path));
  const target = path === '' ? file : (analysis.file(uri) ?? analysis.folder(file.uri)?.findMarkdown(uri));
  const rest = /^[^\s()<>"'`]*/.exec(file.text.slice(offset, offset + MAX_HEADING_LENGTH))?.[0].length ?? 0;
  const headings = target ? anchorsIn(target).headings : [];
  return {
    span: span(offset - typed.length, offset + rest),
    proposals: headings
      .filter(({ anchor }) => anchor !== '')
      .map(({ anchor, heading }) => ({
        label: anchor,
        kind: Kind.Reference,
        detail: `${'#'.repeat(heading.level)} ${heading.text}`,
        rank: Rank.known,
      })),
  };
}
