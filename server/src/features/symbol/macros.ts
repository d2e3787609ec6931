/** Finds and describes the macros in the templates of a file. */
import type { Body, Macro, Node } from '../../languages/minijinja/ast.ts';
import { visibleAt } from '../../languages/minijinja/scopes.ts';
import type { ParsedTemplate } from '../../skill/artifact-data.ts';
import type { SkillFile } from '../../skill/skill-file.ts';
import { contains } from '../../text.ts';

/**
 * Returns the macro to which a call to `path` at an offset resolves, in the same template or in an imported template.
 */
export function findMacro(
  file: SkillFile,
  { template, scopes }: ParsedTemplate,
  path: readonly string[],
  offset: number,
): Macro | undefined {
  const [name = '', inner] = path;
  if (path.length > 2) return undefined;
  const variable = visibleAt(scopes, offset).find((one) => one.name === name);
  const definition = variable?.definitions.at(-1);
  if (definition?.kind === 'macro' && inner === undefined) {
    return macrosIn(template.nodes).find((macro) => macro.name.span.start === definition.span.start);
  }
  if (definition?.kind !== 'import') return undefined;
  for (const node of importsIn(template.nodes)) {
    if (!contains(node.span, definition.span)) continue;
    const imported =
      node.kind === 'from-import' ? node.names.find(({ name: one, alias = one }) => alias.text === name) : undefined;
    const wanted = node.kind === 'import' ? inner : inner === undefined ? imported?.name.text : undefined;
    const from = node.template.kind === 'literal' ? node.template.value : undefined;
    const other = file.templates.find(({ artifact }) => artifact.name === from);
    return other && macrosIn(other.inFile.template.nodes).find((macro) => macro.name.text === wanted);
  }
  return undefined;
}

/** Returns the signature `name(a, b="x")`, and each parameter as written in the source. */
export function describeMacro(
  { name, parameters }: Macro,
  text: string,
): { readonly label: string; readonly parameters: readonly string[] } {
  const written = parameters.map((parameter) =>
    parameter.default === undefined || parameter.default.kind === 'missing'
      ? parameter.name.text
      : `${parameter.name.text}=${text.slice(parameter.default.span.start, parameter.default.span.end)}`,
  );
  return { label: `${name.text}(${written.join(', ')})`, parameters: written };
}

const macrosIn = (nodes: readonly Node[]): readonly Macro[] => allNodes(nodes).filter((node) => node.kind === 'macro');

const importsIn = (nodes: readonly Node[]) =>
  allNodes(nodes).filter((node) => node.kind === 'import' || node.kind === 'from-import');

/** Returns the bodies of a block including `else`; empty for a node that is not a block. */
export function bodiesOf(node: Node): readonly Body[] {
  const bodies = 'branches' in node ? node.branches.map(({ body }) => body) : 'body' in node ? [node.body] : [];
  return 'otherwise' in node && node.otherwise ? [...bodies, node.otherwise] : bodies;
}

/** Returns all nodes with their descendants. The parser limits the nesting of blocks, so recursion is safe. */
const allNodes = (nodes: readonly Node[]): readonly Node[] =>
  nodes.flatMap((node) => [node, ...bodiesOf(node).flatMap((body) => allNodes(body.nodes))]);
