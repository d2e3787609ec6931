/** Changes the framing: the prose, or the text of the framing template (docs/mcp.md, "update_skill"). */

import { chooseFraming } from '../composer/find-framing.ts';
import { trimSpan } from '../languages/markdown/spans.ts';
import { isUnclosed } from '../languages/yaml/frontmatter.ts';
import { insertSection } from '../skill/edited-file.ts';
import { SkillFile } from '../skill/skill-file.ts';
import { applyEdits, lineBreakOf, nextLine, type Span, sliceOf, type TextEdit } from '../text.ts';
import { updateArtifact, variantOf } from './artifacts.ts';
import { type Rewriting, refusal } from './refusal.ts';

/** The kind of a skill's framing, with its text. */
export type FramingView = { readonly kind: 'prose' | 'template'; readonly template?: string; readonly text: string };

export function framingOf(file: SkillFile): FramingView | undefined {
  const template = framingTemplate(file);
  if (template) return { kind: 'template', template: template.name, text: sliceOf(file.text, template.span) };
  const prose = proseOf(file).map((span) => sliceOf(file.text, span));
  return prose.length > 0 ? { kind: 'prose', text: prose.join('\n\n') } : undefined;
}

/**
 * Replaces all prose with `framing`, at the position of the first prose. If `framing` has a title, it replaces the
 * existing title.
 */
export function setFraming(file: SkillFile, framing: string): Rewriting {
  const { body, frontmatter } = file;
  if (!body || isUnclosed(frontmatter)) {
    return refusal('not-editable', 'A contract has no body, so it cannot have framing text.');
  }
  const template = framingTemplate(file);
  if (template) {
    const { name, variant } = template;
    return updateArtifact(file, { kind: 'PromptTemplate', name, variant }, { content: framing });
  }
  const wanted = framing.trim().replaceAll(/\r\n|\r|\n/g, lineBreakOf(file.text));
  const text = applyEdits(file.text, proseEdits(file, wanted));
  const edited = new SkillFile(file.uri, text);
  const [before, after] = [file, edited].map((one) => artifactTexts(one).join('\0'));
  const isClosed = (edited.body?.problems.length ?? 0) <= body.problems.length;
  if (before === after && isClosed) return { text };
  return refusal(
    'invalid-content',
    'The framing contains an artifact heading or an unclosed fence. Add artifacts with `add_artifact`.',
  );
}

function proseEdits(file: SkillFile, wanted: string): readonly TextEdit[] {
  const { text, body, frontmatter } = file;
  const title = /^#[ \t]/.test(wanted) ? body?.title?.span : undefined;
  const [first = title, ...more] = proseOf(file);
  if (first) {
    const others = title && title !== first ? [title, ...more] : more;
    const removed = others.map((span): TextEdit => ({ span: withSpaces(text, span), newText: '' }));
    return [{ span: first, newText: wanted }, ...removed];
  }
  const at = body?.title ? nextLine(text, body.title.span.start) : frontmatter.bodyStart;
  return [insertSection(text, at, wanted)];
}

/** Returns the pieces of prose that are not only white space. */
const proseOf = ({ text, body }: SkillFile): readonly Span[] =>
  (body?.framing ?? []).map((span) => trimSpan(text, span)).filter(({ start, end }) => start < end);

/** Returns the span, extended by the white space that follows it. */
function withSpaces(text: string, { start, end }: Span): Span {
  let to = end;
  while (/\s/.test(text[to] ?? '')) to++;
  return { start, end: to };
}

const artifactTexts = ({ text, body }: SkillFile): readonly string[] =>
  body?.artifacts.map(({ span }) => sliceOf(text, trimSpan(text, span))) ?? [];

interface FramingTemplate {
  readonly name: string;
  readonly variant: string | undefined;
  readonly span: Span;
}

function framingTemplate(file: SkillFile): FramingTemplate | undefined {
  const { artifacts = [] } = file.body ?? {};
  const { uri, dialect } = file;
  const chosen = chooseFraming({
    ...{ uri, dialect, framing: file.contract.framing, headSpan: { start: 0, end: 0 } },
    ...{ prose: proseOf(file), artifacts },
  });
  if (typeof chosen !== 'object') return undefined;
  const named = artifacts.filter(({ kind, name }) => kind === 'PromptTemplate' && name === chosen.template);
  const artifact = named.find((one) => variantOf(file, one) === undefined) ?? named[0];
  if (!artifact) return undefined;
  const span = artifact.template?.span ?? artifact.textSpan;
  return { name: artifact.name, variant: variantOf(file, artifact), span };
}
