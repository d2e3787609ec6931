/**
 * What composing costs in-process, once warm: the largest sample, and skills of growing size.
 *
 *     npx esbuild bench/compose.ts --bundle --platform=node --target=node20 --main-fields=module,main --loader:.wasm=binary --outfile=out/bench-compose.cjs
 *     node out/bench-compose.cjs
 *
 * CPU per composition in milliseconds, the median of rounds that take the cases in turn.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createComposer } from '../server/src/composer/compose.ts';
import type { ComposeRequest } from '../server/src/composer/composition.ts';
import { prepareRequest } from '../server/src/composer/prepare.ts';
import { packageOf, surroundingsOf } from '../server/src/workspace/package-of.ts';
import { Workspace } from '../server/src/workspace/workspace.ts';

const ROUNDS = 20;
const { compose } = createComposer();

interface Case {
  readonly name: string;
  readonly request: ComposeRequest;
  readonly costs: number[];
}

const HEAD = 'name: a\ndescription: d\nversion: 1.0.0\ninput_schema: {tone: string, words: "string[]"}\n';

function skillOf(artifacts: number, templateBytes: number): string {
  const line = '- {{ loop.index }}: {{ word | upper }} in a {{ tone }} mood, said twice for the length of it.\n';
  const block = `{% for word in words %}\n${line}{% endfor %}\n`;
  const template = block.repeat(Math.max(1, Math.round(templateBytes / block.length)));
  const description = (n: number) => `\n## Description: part ${n}\n\n${'Some words of a house style. '.repeat(12)}\n`;
  const parts = Array.from({ length: artifacts }, (_, n) => description(n)).join('');
  return `---\n${HEAD}framing: main\n---\n${parts}\n## PromptTemplate: main\n\n\`\`\`jinja\n${template}\`\`\`\n`;
}

function caseOf(name: string, text: string): Case {
  const workspace = new Workspace();
  const uri = 'file:///bench/a.skill.md';
  workspace.apply({ kind: 'text', uri, text });
  workspace.apply({
    kind: 'text',
    uri: 'file:///bench/skills.config.yaml',
    text: 'composer: {context_tokens: 1000000}\n',
  });
  return {
    name,
    request: requestOf(workspace, uri, { parameters: { tone: 'grim', words: ['a', 'b', 'c'] } }),
    costs: [],
  };
}

function requestOf(workspace: Workspace, uri: string, options: object, sample?: string): ComposeRequest {
  const index = workspace.index();
  const skillPackage = packageOf(index, uri);
  if (!skillPackage) throw new Error(`${uri} is no skill.`);
  return prepareRequest(skillPackage, surroundingsOf(index, uri), sample, options).request;
}

/** The sample whose composition has the longest prompt. */
function largestSample(folder: string): Case {
  const workspace = new Workspace();
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (path) => !path.startsWith('mistakes'),
  );
  for (const path of paths.filter((name) => /\.(md|yaml)$/.test(name))) {
    workspace.apply({ kind: 'text', uri: `file:///bench/${path}`, text: readFileSync(join(folder, path), 'utf8') });
  }
  const requests = [...workspace.index().documents.values()].flatMap(({ uri, contract }) =>
    contract.samples.map(({ name }) => ({ name, uri, request: requestOf(workspace, uri, {}, name) })),
  );
  const sized = requests.flatMap((one) => {
    const result = compose(one.request);
    return result.ok
      ? [{ ...one, size: result.composition.prompt.length + 500 * JSON.stringify(result.composition.subgraph).length }]
      : [];
  });
  const largest = sized.sort((a, b) => b.size - a.size)[0];
  if (!largest) throw new Error('No sample composes.');
  return {
    name: `largest sample: ${largest.uri.split('/').at(-1)}, ${largest.name}`,
    request: largest.request,
    costs: [],
  };
}

function run({ request, costs }: Case): void {
  const times = 5;
  const before = process.cpuUsage();
  for (let n = 0; n < times; n++) {
    const result = compose(request);
    if (!result.ok) throw new Error(result.errors[0]?.message);
  }
  const { user, system } = process.cpuUsage(before);
  costs.push((user + system) / 1000 / times);
}

const median = (values: readonly number[]): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;

const cases = [
  largestSample('samples'),
  ...[1, 10, 100].map((artifacts) => caseOf(`${artifacts} descriptions, 4 KB template`, skillOf(artifacts, 4_000))),
  caseOf('1 description, 100 KB template', skillOf(1, 100_000)),
];
for (let round = 0; round < ROUNDS; round++) for (const one of cases) run(one);
// The first rounds are the compiler's.
for (const { name, costs } of cases) console.log(`${name}: ${median(costs.slice(ROUNDS / 4)).toFixed(2)} ms CPU`);
