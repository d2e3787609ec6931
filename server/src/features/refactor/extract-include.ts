/** The selected part of a template as a template of its own, and an `include` in its place. */
import { trimSpan } from '../../languages/markdown/spans.ts';
import type { Node } from '../../languages/minijinja/ast.ts';
import { formatScalar } from '../../languages/yaml/edit.ts';
import { insertKey } from '../../rules/common/insert-key.ts';
import type { SkillTemplate } from '../../skill/artifact-data.ts';
import { findSkillEntry } from '../../skill/contract.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { contains, lineBreakOf, overlaps, type Span, sliceOf } from '../../text.ts';
import { bodiesOf } from '../symbol/template-nodes.ts';
import { type EditedFile, unedited, withEdits } from './edited-file.ts';
import { literalFraming } from './literal-to-template.ts';
import type { Refactoring } from './refactoring.ts';
import { freeName, insertSection, isReadable, templateSection } from './sections.ts';

export const extractInclude: Refactoring = {
  kind: 'refactor.extract',
  rewrite({ file, selection }) {
    if (!isReadable(file)) return undefined;
    const part = trimSpan(file.text, selection);
    const home = file.templates.find(({ span }) => contains(span, part));
    if (!home || part.start === part.end || !isWhole(home, part)) return undefined;
    const name = freeName(file, 'PromptTemplate', 'part');
    for (const isFenced of home.artifact.template?.fence ? [true] : [false, true]) {
      const result = keepFraming(file, home, extracted(file, home, part, name, isFenced));
      const made = result?.file.templates.find(({ artifact }) => artifact.name === name);
      if (!result || made?.source.template.text !== sliceOf(file.text, part)) continue;
      return { title: 'Extract into a template that is included', result, nameAt: made.artifact.nameSpan?.start ?? 0 };
    }
    return undefined;
  },
};

function extracted(
  file: SkillFile,
  home: SkillTemplate,
  part: Span,
  name: string,
  isFenced: boolean,
): EditedFile | undefined {
  const { text } = file;
  const at = (offset: number) =>
    home.placed.template.tags.find(({ span }) => span.start <= offset && offset < span.end);
  // The include trims the text around it as the tags at the edges did.
  const include = `{%${at(part.start)?.trimBefore ?? ''} include "${name}" ${at(part.end - 1)?.trimAfter ?? ''}%}`;
  const section = templateSection(name, sliceOf(text, part), isFenced, lineBreakOf(text));
  return withEdits(unedited(file), [
    { span: part, newText: include },
    insertSection(text, home.artifact.span.end, section),
  ]);
}

/** The only template is the framing; once there is another, `framing` has to name it. */
function keepFraming(file: SkillFile, home: SkillTemplate, result: EditedFile | undefined): EditedFile | undefined {
  const isAlone = new Set(file.templates.map(({ artifact }) => artifact.name)).size === 1;
  const isNamed = findSkillEntry(file.frontmatter.tree.root, 'framing') !== undefined;
  if (!result || !isAlone || isNamed || literalFraming(file)) return result;
  return withEdits(result, insertKey(result.file, 'framing', formatScalar(home.artifact.name)));
}

/** Whether a part holds whole tags and blocks, and defines no names for the text behind it. */
function isWhole(home: SkillTemplate, part: Span): boolean {
  const { template, scopes } = home.placed;
  if (template.problems.length > 0) return false;
  const nodes = siblingsAt(template.nodes, part);
  const chosen = nodes?.filter(({ span }) => overlaps(span, part));
  if (!chosen || chosen.length === 0) return false;
  const isUncut = chosen.every((node) => (node.kind === 'text' ? !node.raw : contains(part, node.span)));
  // `caller` is known only in a macro's body, and `loop` in its `for`.
  const isFree = scopes.uses.every(
    ({ span, variable }) => !contains(part, span) || !variable?.implicit || contains(part, variable.scope.span),
  );
  return isUncut && isFree && chosen.every(definesNothing);
}

/** The sibling nodes that a part overlaps; undefined where it cuts through a tag or stands in a macro. */
export function siblingsAt(nodes: readonly Node[], part: Span): readonly Node[] | undefined {
  const holder = nodes.find((node) => contains(node.span, part) && node.kind !== 'text');
  if (!holder || contains(part, holder.span)) return nodes;
  if (!TRANSPARENT_BLOCKS.has(holder.kind)) return undefined;
  const body = bodiesOf(holder).find(({ span }) => contains(span, part));
  return body && siblingsAt(body.nodes, part);
}

/** The blocks in which an include sees the variables around it. */
const TRANSPARENT_BLOCKS: ReadonlySet<Node['kind']> = new Set(['if', 'for', 'with', 'filter-block']);
const DEFINING_NOTHING: ReadonlySet<Node['kind']> = new Set([
  'text',
  'output',
  'comment',
  'if',
  'for',
  'with',
  'include',
]);

const definesNothing = (node: Node): boolean =>
  DEFINING_NOTHING.has(node.kind) && bodiesOf(node).every(({ nodes }) => nodes.every(definesNothing));
