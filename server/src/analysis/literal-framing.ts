/** Converts literal framing to a template. A refactoring keeps the prompt; a fix of a rule renders the tags in the text. */

import { trimSpan, within } from '../languages/markdown/spans.ts';
import { undefinedInTemplate } from '../languages/minijinja/scope-model.ts';
import { formatScalar, insertEntry } from '../languages/yaml/edit.ts';
import type { SkillTemplate } from '../skill/artifact-data.ts';
import type { Body } from '../skill/body.ts';
import { findSkillEntry } from '../skill/contract.ts';
import { type EditedFile, freeName, isReadable, templateSection, unedited, withEdits } from '../skill/edited-file.ts';
import { insertKey } from '../skill/insert-key.ts';
import { parameterNames } from '../skill/parameters.ts';
import type { SkillFile } from '../skill/skill-file.ts';
import { acceptsType } from '../skill/template-types.ts';
import { contains, lineBreakOf, type Span, sliceOf, type TextEdit } from '../text.ts';
import { removePassage } from './removals.ts';
import { AMBIENT_IN_TEMPLATES } from './template-code.ts';

/** A file whose framing is a new template. */
export interface TemplateFraming {
  readonly result: EditedFile;
  readonly made: SkillTemplate;
}

/** Returns the prose passages of the framing; undefined if the framing is empty or a template. */
export function literalFraming(file: SkillFile): readonly Span[] | undefined {
  const { text, body, frontmatter } = file;
  const { root } = frontmatter.tree;
  if (!isReadable(file) || !body || root?.kind !== 'map' || findSkillEntry(root, 'framing')) return undefined;
  const passages = body.framing.map((place) => trimSpan(text, place)).filter(({ start, end }) => start < end);
  return passages.length > 0 ? passages : undefined;
}

/**
 * Moves the framing into a `## PromptTemplate`, and names it in `framing` (docs/format.md, section 5). The tags at
 * `rendered`, which are offsets of their braces in the file, become tags of the template; all others stay text.
 * Returns undefined if the framing is not literal, or if the text cannot be moved unchanged.
 */
export function framingToTemplate(
  file: SkillFile,
  rendered: ReadonlySet<number> = new Set(),
): TemplateFraming | undefined {
  const { text, body } = file;
  const passages = literalFraming(file);
  const [first] = passages ?? [];
  if (!passages || !first || !body || !isMovable(file, body, passages)) return undefined;
  const lineBreak = lineBreakOf(text);
  const source = passages
    .map((place) =>
      sliceOf(text, place).replace(/\{[{%#]/g, (opener, at: number) =>
        rendered.has(place.start + at) ? opener : `{{ "${opener}" }}`,
      ),
    )
    .join(lineBreak + lineBreak);
  const name = freeName(file, 'PromptTemplate', 'framing');
  const isFenced = body.headings.some(
    ({ level, span: place }) => level <= 2 && passages.some((one) => contains(one, place)),
  );
  const section = templateSection(name, source, isFenced, lineBreak);
  const edits = passages.map((place) =>
    place === first ? { span: place, newText: section } : removePassage(text, body, place),
  );
  const moved = withEdits(unedited(file), edits);
  const result = withEdits(moved, moved && insertKey(moved.file, 'framing', formatScalar(name)));
  const after = result?.file;
  const made = after?.templates.find(({ artifact }) => artifact.name === name);
  const isAll = after?.body?.framing.every((place) => sliceOf(after.text, place).trim() === '');
  const isSeen = after?.body?.references.length === body.references.length;
  return result && made?.source.template.text === source && isAll && isSeen ? { result, made } : undefined;
}

/** Returns whether the passages can move: suppression comments must not enter the prompt, and fences must stay code. */
function isMovable({ text, suppressions }: SkillFile, body: Body, passages: readonly Span[]): boolean {
  if (passages.length > 1 && lineBreakOf(text) !== '\n') return false;
  return passages.every(
    (place) =>
      !suppressions.some(({ comment }) => contains(place, comment)) &&
      !within(body.fences, place).some(({ words }) => words.some((word) => /^(?:artifact|jinja2?)$/.test(word))),
  );
}

export interface RenderedFraming {
  readonly edits: readonly TextEdit[];
  /** The names that are added to the inputs. */
  readonly inputs: readonly string[];
}

/** The limits of the conversion, which parses the file again for each input. The length is in UTF-16 code units. */
const MAX_CONVERTED = 50_000;
const MAX_INPUTS = 10;

/**
 * Returns the edits that make a template of the framing, in which the given tags are rendered, and that add the names
 * in them to the inputs. Returns undefined if the template would have a syntax error or an undefined name.
 */
export function renderedFraming(file: SkillFile, tags: readonly Span[]): RenderedFraming | undefined {
  if (file.text.length > MAX_CONVERTED) return undefined;
  const converted = framingToTemplate(file, new Set(tags.map(({ start }) => start)));
  if (!converted || converted.made.source.template.problems.length > 0) return undefined;
  const { source } = converted.made;
  const inputs = file.contract.input?.schema;
  const known = new Set([...(inputs ? (parameterNames(inputs) ?? []) : []), ...AMBIENT_IN_TEMPLATES]);
  const isOpen = inputs !== undefined && parameterNames(inputs) === undefined;
  const missing = isOpen ? [] : undefinedInTemplate(source.template, source.scopes, (name) => known.has(name));
  const inputsToAdd = [...new Set(missing.map((use) => use.name))];
  const isForeign = missing.some(({ name, role }) => role === 'call' || OF_OTHER_LANGUAGES.has(name));
  if (isForeign || inputsToAdd.length > MAX_INPUTS) return undefined;
  const { text } = source.template;
  const lists = new Set(missing.flatMap((use) => (/\bin\s+$/.test(before(text, use.span)) ? use.name : [])));
  let result: EditedFile | undefined = converted.result;
  for (const name of inputsToAdd) {
    const isText = result && !lists.has(name) && acceptsType(result.file, name, 'string');
    result = withEdits(result, result && declared(result.file, name, isText ? 'string' : 'any'));
  }
  return result && { edits: result.edits, inputs: inputsToAdd };
}

/** The words of other template languages that MiniJinja reads as names. */
const OF_OTHER_LANGUAGES: ReadonlySet<string> = new Set('if for else end range with this each unless'.split(' '));

const before = (text: string, { start }: Span): string => text.slice(Math.max(0, start - 10), start);

/** Returns the edits that add an input; none if the schema is not a map in shorthand. */
function declared(file: SkillFile, name: string, type: string): readonly TextEdit[] {
  const entry = findSkillEntry(file.frontmatter.tree.root, 'input_schema');
  if (!entry) return insertKey(file, 'input_schema', `{${name}: ${type}}`);
  if (entry.value.kind !== 'map' || file.contract.input?.schema.form === 'json-schema') return [];
  return insertEntry(file.text, entry.value, name, type);
}
