/** The selected part of a template as a template of its own, and an `include` in its place. */

import { trimSpan } from '../../languages/markdown/spans.ts';
import type { Body, Node } from '../../languages/minijinja/ast.ts';
import { formatScalar } from '../../languages/yaml/edit.ts';
import { insertKey } from '../../rules/common/insert-key.ts';
import type { SkillTemplate } from '../../skill/artifact-data.ts';
import { findSkillEntry } from '../../skill/contract.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { contains, lineBreakOf, overlaps, type Span, sliceOf } from '../../text.ts';
import { literalFraming } from './literal-to-template.ts';
import type { Refactoring } from './refactoring.ts';
import { freeName, insertSection, isReadable, templateSection } from './sections.ts';
import { begin, type Steps, then } from './steps.ts';

export const extractInclude: Refactoring = {
  kind: 'refactor.extract',
  rewrite({ file, selection }) {
    if (!isReadable(file)) return undefined;
    const part = trimSpan(file.text, selection);
    const home = file.templates.find(({ span }) => contains(span, part));
    if (!home || part.start === part.end || !isWhole(home, part)) return undefined;
    const name = freeName(file, 'PromptTemplate', 'part');
    for (const isFenced of home.artifact.template?.fence ? [true] : [false, true]) {
      const steps = keepFraming(file, home, extracted(file, home, part, name, isFenced));
      const made = steps?.file.templates.find(({ artifact }) => artifact.name === name);
      if (!steps || made?.source.template.text !== sliceOf(file.text, part)) continue;
      return { title: 'Extract into a template that is included', steps, nameAt: made.artifact.nameSpan?.start ?? 0 };
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
): Steps | undefined {
  const { text } = file;
  const at = (offset: number) =>
    home.placed.template.tags.find(({ span }) => span.start <= offset && offset < span.end);
  // What a tag at the edge trims of the text around it, the include has to trim.
  const include = `{%${at(part.start)?.trimBefore ?? ''} include "${name}" ${at(part.end - 1)?.trimAfter ?? ''}%}`;
  const section = templateSection(name, sliceOf(text, part), isFenced, lineBreakOf(text));
  return then(begin(file), [{ span: part, newText: include }, insertSection(text, home.artifact.span.end, section)]);
}

/** A template that frames the skill because it is the only one has to be named as soon as there is another. */
function keepFraming(file: SkillFile, home: SkillTemplate, steps: Steps | undefined): Steps | undefined {
  const isAlone = new Set(file.templates.map(({ artifact }) => artifact.name)).size === 1;
  const isNamed = findSkillEntry(file.frontmatter.tree.root, 'framing') !== undefined;
  if (!steps || !isAlone || isNamed || literalFraming(file)) return steps;
  return then(steps, insertKey(steps.file, 'framing', formatScalar(home.artifact.name)));
}

/** True for a stretch that holds whole tags and blocks, and defines nothing that what follows might use. */
function isWhole(home: SkillTemplate, part: Span): boolean {
  const { template, scopes } = home.placed;
  if (template.problems.length > 0) return false;
  const nodes = siblingsAt(template.nodes, part);
  const chosen = nodes?.filter(({ span }) => overlaps(span, part));
  if (!chosen || chosen.length === 0) return false;
  const isUncut = chosen.every((node) => (node.kind === 'text' ? !node.raw : contains(part, node.span)));
  // `caller` and its like belong to a macro's body, and `loop` to the `for` in which it stands.
  const isFree = scopes.uses.every(
    ({ span, variable }) => !contains(part, span) || !variable?.implicit || contains(part, variable.scope.span),
  );
  return isUncut && isFree && chosen.every(isHarmless);
}

/** The nodes beside one another of which some make up the part; undefined where it cuts through a tag or stands in a macro. */
export function siblingsAt(nodes: readonly Node[], part: Span): readonly Node[] | undefined {
  const holder = nodes.find((node) => contains(node.span, part) && node.kind !== 'text');
  if (!holder || contains(part, holder.span)) return nodes;
  if (!ENTERED.has(holder.kind)) return undefined;
  const body = bodiesOf(holder).find(({ span }) => contains(span, part));
  return body && siblingsAt(body.nodes, part);
}

/** The blocks that an include in them can look out of. */
const ENTERED: ReadonlySet<Node['kind']> = new Set(['if', 'for', 'with', 'filter-block']);
const HARMLESS: ReadonlySet<Node['kind']> = new Set(['text', 'output', 'comment', 'if', 'for', 'with', 'include']);

const isHarmless = (node: Node): boolean =>
  HARMLESS.has(node.kind) && bodiesOf(node).every(({ nodes }) => nodes.every(isHarmless));

function bodiesOf(node: Node): readonly Body[] {
  const bodies = 'branches' in node ? node.branches.map(({ body }) => body) : 'body' in node ? [node.body] : [];
  return 'otherwise' in node && node.otherwise ? [...bodies, node.otherwise] : bodies;
}
