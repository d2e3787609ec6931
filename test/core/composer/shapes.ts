/** Builds shapes from the source of skills, and prints a shape as a few readable lines. */
import { strict as assert } from 'node:assert';
import { invocationContextOf } from '../../../server/src/analysis/package-of.ts';
import { Workspace } from '../../../server/src/analysis/workspace.ts';
import type {
  ComposeRequest,
  GraphEdge,
  GraphNode,
  Invocation,
  Subgraph,
} from '../../../server/src/composer/composition.ts';
import { chooseApproach } from '../../../server/src/composer/conditions.ts';
import { conditionContext, prepareRequest } from '../../../server/src/composer/prepare.ts';
import { TemplateEngine } from '../../../server/src/composer/render/engine.ts';
import { type SubgraphResult, shapeSubgraph } from '../../../server/src/composer/subgraph.ts';
import { checkedPackageOf } from '../../../server/src/rules/engine/checked-package.ts';

/** Sources by file name, for example `draft.skill.md`. */
export type Files = Readonly<Record<string, string>>;

const FOLDER = 'file:///w/';

export const engine = new TemplateEngine();

/** Returns the request for the skill in the file `name`; `invocation` has the form of a sample's invocation. */
export function requestFor(
  files: Files,
  name: string,
  invocation: Invocation & { maxToolCalls?: number; sample?: string } = {},
): ComposeRequest {
  const workspace = new Workspace();
  const all = { 'skills.config.yaml': catalog, ...files };
  for (const [path, text] of Object.entries(all)) workspace.apply({ kind: 'text', uri: FOLDER + path, text });
  const uri = FOLDER + name;
  const { sample, ...options } = invocation;
  const found = checkedPackageOf(workspace.analysis, uri);
  if (!found) throw new Error(`${name} is not a skill`);
  return prepareRequest(found, invocationContextOf(workspace.analysis, uri), sample, options).request;
}

export function shapeFor(request: ComposeRequest): SubgraphResult {
  const context = conditionContext(request.parameters, request);
  const { approach } = chooseApproach(engine, request.skillPackage, context);
  return shapeSubgraph({
    engine,
    skillPackage: request.skillPackage,
    availableTools: request.availableTools,
    capabilities: request.callerCapabilities,
    source: request.invocationSource,
    approach,
    context,
    modelNames: request.modelNames,
    limits: request.limits,
  });
}

const catalog = `
tools:
  - {name: read_page, operation: READ, scope: read:pages}
  - {name: search_pages, operation: READ, scope: read:pages}
  - {name: write_candidate, operation: WRITE, scope: write:candidates}
profiles:
  - {name: writer, scopes: [read:pages, write:candidates]}
  - {name: reader, scopes: [read:pages]}
`;

/** Returns a skill with additional frontmatter and one paragraph, followed by `body`. */
export const skill = (name: string, frontmatter: string, body = ''): string =>
  `---\nname: ${name}\ndescription: Does one thing.\nversion: 1.0.0\n${frontmatter.trim()}\n---\n\n# Title\n\nDo it well.\n\n${body}`;

/** Returns the shape of the skill in the file `name`. */
export function shapeOf(files: Files, name: string, invocation: Invocation & { maxToolCalls?: number } = {}): Subgraph {
  const { shape, errors } = shapeFor(requestFor(files, name, invocation));
  if (errors.length > 0) throw new Error(errors.map(({ message }) => message).join('\n'));
  return shape;
}

/** Asserts that composing reports no error, and compares the printed shape. `expected` may be indented. */
export function assertShape(
  files: Files | string,
  expected: string,
  invocation: Parameters<typeof requestFor>[2] = {},
  name = 't.skill.md',
): void {
  const all = typeof files === 'string' ? { [name]: files } : files;
  const { shape, errors } = shapeFor(requestFor(all, name, invocation));
  assert.deepEqual(errors, []);
  const lines = expected.trim().split('\n');
  const indent = /^ */.exec(lines[1] ?? '')?.[0].length ?? 0;
  assert.equal(printShape(shape), lines.map((line, at) => (at === 0 ? line.trim() : line.slice(indent))).join('\n'));
}

/**
 * Prints one line for each edge, then the data of the nodes, the interrupts, the tools and the exit. Nested shapes are
 * indented below their node.
 */
export function printShape(shape: Subgraph): string {
  return linesOf(shape).join('\n');
}

function linesOf({ nodes, edges, interrupts, toolAvailability, exitCondition, delegated }: Subgraph): string[] {
  const { on, ...bound } = exitCondition;
  const most = bound.maxToolCalls === undefined ? '' : `, at most ${bound.maxToolCalls} calls`;
  return [
    ...edges.map(lineOfEdge),
    ...nodes.flatMap((node) => linesOfNode(node, toolAvailability)),
    ...interrupts.map(
      ({ node, name, when, tools }) =>
        `${node} ! ${name}${tools ? ` (${tools.join(', ')})` : ''}${when === undefined ? '' : ` when ${when}`}`,
    ),
    `tools: ${toolAvailability.join(', ') || 'none'}`,
    `exit: ${on}${most}${delegated ? ', delegated' : ''}`,
  ];
}

const lineOfEdge = ({ from, to, kind, condition, unless }: GraphEdge): string =>
  `${from} -> ${to}${kind === 'loop' ? ' [loop]' : ''}${kind === 'cancel' ? ` [cancel unless ${unless}]` : ''}${condition === undefined ? '' : ` [${condition}]`}`;

/** The data of a node in addition to its kind. The tools are left out if the node may call all tools of the shape. */
function linesOfNode(node: GraphNode, all: readonly string[]): string[] {
  const { id, instructions, guidance, tools, retry, timeoutMs, until, subgraph } = node;
  const own = tools && tools.join() !== all.join() ? tools : undefined;
  const carried = [
    instructions === undefined ? '' : `says "${instructions}"`,
    guidance === undefined ? '' : `guided by "${guidance}"`,
    own ? `calls ${own.join(', ')}` : '',
    retry ? `tries ${retry.maxAttempts} times` : '',
    timeoutMs === undefined ? '' : `within ${timeoutMs} ms`,
    until === undefined ? '' : `until ${until}`,
  ].filter((part) => part !== '');
  return [
    ...(carried.length > 0 ? [`${id}: ${carried.join('; ')}`] : []),
    ...(subgraph ? [`${id} =`, ...linesOf(subgraph).map((line) => `  ${line}`)] : []),
  ];
}
