/**
 * Completion of the skeletons in `snippets/` in empty files, on empty lines of the body, and for keys and list items.
 */
import { kebabName } from '../../skill/kebab-name.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { endOfLine, lineStart, sliceOf, span, touches } from '../../text.ts';
import { type Dialect, nameFromUri } from '../../vocabulary/dialect.ts';
import { type Snippet, type SnippetPlace, snippetsFor } from '../../vocabulary/snippets.ts';
import { trusted } from '../markdown.ts';
import { findTemplate } from '../symbol/template-values.ts';
import { stepsBefore } from './flow.ts';
import { type Cursor, Kind, type Offer, type Proposal, Rank } from './proposal.ts';
import { isProse } from './references.ts';
import { withNames } from './snippet-names.ts';
import { columnAt, hasColon, type YamlCursor } from './yaml-place.ts';

export const snippetProposal = ({ label, description, body }: Snippet): Proposal => ({
  label,
  kind: Kind.Snippet,
  docs: trusted(description),
  insert: body,
  isSnippet: true,
  rank: Rank.snippet,
});

const NEW_FILE: ReadonlyMap<Dialect, SnippetPlace> = new Map<Dialect, SnippetPlace>([
  ['composer', 'skill-file'],
  ['contract', 'contract-file'],
  ['agent-skill', 'agent-skill-file'],
]);

/** Offers complete files if the file is empty or contains one word. */
export function offerNewFile(cursor: Cursor): Offer | undefined {
  const { file } = cursor;
  const { text, dialect, uri } = file;
  const place = NEW_FILE.get(dialect);
  const [, before = '', word = ''] = /^(\uFEFF?)([A-Za-z][\w-]*|)\s*$/.exec(text.slice(0, 200)) ?? [];
  if (place === undefined || text.trim() !== word) return undefined;
  const name = kebabName(nameFromUri(uri)) ?? 'new-skill';
  return {
    span: span(before.length, before.length + word.length),
    proposals: snippetsFor(place).map((snippet) => {
      const body = withNames(cursor, snippet).replaceAll('$SKILL_NAME', name);
      // The kind is `File`, because an editor may sort snippets to the bottom.
      return { ...snippetProposal({ ...snippet, body }), kind: Kind.File, rank: Rank.demanded };
    }),
  };
}

/** Offers template statements, metadata for the heading above, and complete sections on an empty line of the body. */
export function offerOnEmptyLine(cursor: Cursor): Offer | undefined {
  const { file, offset } = cursor;
  const { text, body, frontmatter } = file;
  const line = span(lineStart(text, offset), endOfLine(text, offset));
  const written = sliceOf(text, line);
  if (
    !body ||
    !frontmatter.close ||
    offset !== line.start + written.trimEnd().length ||
    !/^(?:##)?[ \t]*$/.test(written)
  )
    return undefined;
  const isInProse = isProse(body, text, offset);
  const isBelowHeading = written === '' && isInProse ? metadataBelow(cursor) : undefined;
  const named = (snippet: Snippet) => snippetProposal({ ...snippet, body: withNames(cursor, snippet) });
  const proposals = [
    ...(written === '' && isTemplateText(file, offset, isInProse) ? snippetsFor('template').map(named) : []),
    ...(isBelowHeading ?? (isInProse ? sections() : [])),
  ];
  return { span: span(line.start, offset), proposals };
}

const sections = (): Proposal[] =>
  snippetsFor('heading').map((snippet) =>
    snippetProposal({ ...snippet, label: `## ${snippet.label}`, body: `## ${snippet.body}` }),
  );

/** Returns metadata snippets; undefined if text precedes the cursor in the section, or the artifact has metadata. */
function metadataBelow(cursor: Cursor): Proposal[] | undefined {
  const { offset } = cursor;
  const { text, body, metadata } = cursor.file;
  const artifact = body?.artifacts.find(({ span: place }) => touches(place, offset));
  if (!artifact || text.slice(artifact.heading.span.end, offset).trim() !== '') return undefined;
  if (metadata.some((one) => one.artifact === artifact)) return undefined;
  return snippetsFor('metadata', artifact.kind).map((snippet) =>
    snippetProposal({ ...snippet, body: withNames(cursor, snippet) }),
  );
}

/** Returns whether an offset is in a template; for a template without a fence, also after its last line. */
function isTemplateText(file: SkillFile, offset: number, isInProse: boolean): boolean {
  if (findTemplate(file, offset)) return true;
  const artifact = file.body?.artifacts.find(({ span: place }) => touches(place, offset));
  return isInProse && artifact?.kind === 'PromptTemplate' && !artifact.template?.fence;
}

/** Returns snippets for missing frontmatter keys, with more content than the skeletons of the keys. */
export function keySnippets(cursor: YamlCursor, offered: readonly Proposal[]): Proposal[] {
  const { file, place, artifact, quote } = cursor;
  const isSkill = file.dialect === 'composer' || file.dialect === 'contract';
  if (!isSkill || place.path.length > 0 || artifact !== undefined || hasColon(cursor) || quote !== '') return [];
  const missing = new Set(offered.map(({ label }) => label));
  return snippetsFor('key')
    .filter(({ of }) => of !== undefined && missing.has(of))
    .map((snippet) => snippetProposal({ ...snippet, body: withNames(cursor, snippet) }));
}

/** The lists whose items can be steps of a flow. */
const STEPS: ReadonlySet<unknown> = new Set(['execution', 'steps', 'else']);

/** Returns complete list items, for a cursor after a dash. */
export function itemSnippets(cursor: YamlCursor): Proposal[] {
  const { place, quote, artifact } = cursor;
  const list = place.path.at(-2);
  if (place.role !== 'item' || place.flow || quote !== '') return [];
  const isStep = artifact === undefined && place.path[0] === 'execution' && STEPS.has(list);
  if (!isStep && list !== 'assertions') return [];
  const lineBreak = `\n${' '.repeat(columnAt(cursor))}`;
  const before = isStep ? stepsBefore(cursor) : [];
  return snippetsFor('item', isStep ? 'execution' : 'assertions').map((snippet) =>
    snippetProposal({ ...snippet, body: withNames(cursor, snippet, before).replaceAll('\n', lineBreak) }),
  );
}
