/**
 * A project for LangGraph's server (docs/langgraph.md): its files as text, and skill packages as JSON. Only the JSON
 * files and one type contain text of authors.
 */
import type { ComposeRequest, ExitCondition, GraphError, GraphFallback, Subgraph } from '../composer/composition.ts';
import { closureOf } from '../composer/prepare.ts';
import type { FileSpan, PackageError, PackageFallback, SkillPackage } from '../skill/package.ts';
import { escapeInvisibleInJson, lineStartsOf, rangeOf, type Span } from '../text.ts';

/** A skill with the skills that its run may reach, each once, as JSON. These skills are named by their index. */
export type ExportedPackages = readonly (Omit<SkillPackage, 'composes' | 'errors' | 'samples' | 'permission'> & {
  readonly composes: readonly Indexed<SkillPackage['composes'][number]>[];
  readonly errors: readonly (Omit<PackageError, 'fallback'> & {
    readonly fallback: Exclude<PackageFallback, SkillFallback> | Indexed<SkillFallback> | undefined;
  })[];
})[];

type SkillFallback = Extract<PackageFallback, { readonly kind: 'skill' }>;

type Indexed<Of> = Omit<Of, 'package'> & { readonly package: number | 'missing' | 'cycle' };

/** The request of an invocation without the skill, and without the tools, which follow from the skill. */
export type ExportedRequest = Omit<ComposeRequest, 'skillPackage' | 'availableTools' | 'places'>;

/** The file `skill.json`: the skill, and the request without the values of the caller. */
export interface ExportedSkill {
  readonly packages: ExportedPackages;
  readonly request: ExportedRequest;
}

/** The parts of a trace that the tests of the project compare. */
export interface RunSummary {
  readonly path: readonly string[];
  readonly interrupts: readonly string[];
  /** The exit condition, the code of the failure, or the interrupt at which the run waits. */
  readonly end: string;
}

/** A graph of the file `shape.json`, which has files and ranges instead of URIs and spans. */
export type ExportedShape = Omit<Subgraph, 'nodes' | 'interrupts' | 'errors'> & {
  readonly errors?: readonly ExportedError[];
  readonly nodes: readonly (Placed<Subgraph['nodes'][number]> & { readonly subgraph?: ExportedShape })[];
  readonly interrupts: readonly Placed<Subgraph['interrupts'][number]>[];
};

type ExportedError = Omit<GraphError, 'fallback'> & {
  readonly fallback?: Exclude<GraphFallback, FallbackSkill> | WithShape<FallbackSkill>;
};

type FallbackSkill = Extract<GraphFallback, { readonly skill: object }>;

type WithShape<Of> = Omit<Of, 'subgraph'> & { readonly subgraph?: ExportedShape };

type Placed<Of> = Omit<Of, keyof FileSpan | 'subgraph'> & { readonly file: string; readonly range: object };

// Packages and shapes as JSON.

/** Returns the packages of a skill. `nameOf` returns the name of a file. */
export function exportPackages(root: SkillPackage, nameOf: (uri: string) => string): ExportedPackages {
  const packages = [...closureOf(root)];
  const indexed = <Of extends { readonly package: SkillPackage | 'missing' | 'cycle' }>(one: Of) => ({
    ...one,
    package: typeof one.package === 'string' ? one.package : packages.indexOf(one.package),
  });
  return packages.map(({ samples: _, permission: __, ...one }) => ({
    ...one,
    uri: nameOf(one.uri),
    // The gates of tools are closed before a run.
    tools: one.tools.map(({ skill: _, ...tool }) => tool),
    composes: one.composes.map(indexed),
    errors: one.errors.map(({ fallback, ...error }) => ({
      ...error,
      fallback: fallback?.kind === 'skill' ? indexed(fallback) : fallback,
    })),
  }));
}

/** Returns the first of the exported packages, with those that it composes. */
export function importPackages(exported: ExportedPackages): SkillPackage {
  const packages = exported.map((one) => ({
    ...one,
    ...{ samples: [], permission: undefined, composes: [] as unknown[], errors: [] as unknown[] },
  }));
  const named = <Of extends { readonly package: number | string }>(one: Of) => ({
    ...one,
    package: typeof one.package === 'number' ? packages[one.package] : one.package,
  });
  for (const [at, { composes, errors }] of exported.entries()) {
    packages[at]?.composes.push(...composes.map(named));
    packages[at]?.errors.push(
      ...errors.map(({ fallback, ...error }) => ({
        ...error,
        fallback: fallback?.kind === 'skill' ? named(fallback) : fallback,
      })),
    );
  }
  const [root] = packages;
  if (!root) throw new Error('The file `skill.json` contains no skill.');
  return root as unknown as SkillPackage;
}

export const exportRequest = ({ skillPackage: _, availableTools: __, places: ___, ...rest }: ComposeRequest) => rest;

/** Returns a function that names files by their paths below the folder that contains all of them. */
export function fileNames(uris: readonly string[]): (uri: string) => string {
  const [first = ''] = uris;
  const folders = first.split('/').slice(0, -1);
  const isCommon = (at: number): boolean => uris.every((uri) => uri.split('/')[at] === folders[at]);
  const different = folders.findIndex((_, at) => !isCommon(at));
  const common = different < 0 ? folders.length : different;
  return (uri) => decodeURIComponent(uri.split('/').slice(common).join('/'));
}

/** Returns a shape with files and ranges. `textOf` returns the text of a file. */
export function exportShape(
  { nodes, interrupts, errors, ...rest }: Subgraph,
  nameOf: (uri: string) => string,
  textOf: (uri: string) => string,
): ExportedShape {
  const place = <Of extends FileSpan>({ uri, span, ...one }: Of) => ({
    ...one,
    file: nameOf(uri),
    range: rangeOf(lineStartsOf(textOf(uri)), span),
  });
  return {
    nodes: nodes.map(({ subgraph, ...node }) => ({
      ...place(node),
      ...(subgraph && { subgraph: exportShape(subgraph, nameOf, textOf) }),
    })),
    ...rest,
    ...(errors && {
      errors: errors.map(({ fallback, ...error }): ExportedError => {
        if (!fallback || !('skill' in fallback)) return { ...error, ...(fallback && { fallback }) };
        const { subgraph, ...own } = fallback;
        return { ...error, fallback: { ...own, ...(subgraph && { subgraph: exportShape(subgraph, nameOf, textOf) }) } };
      }),
    }),
    interrupts: interrupts.map(place),
  };
}

/** Returns a shape for the engine, which has no use for ranges. */
export function importShape({ nodes, interrupts, errors, ...rest }: ExportedShape): Subgraph {
  const place = <Of extends { readonly file: string; readonly range: object }>({ file, range: _, ...one }: Of) => ({
    ...one,
    uri: file,
    span: NO_SPAN,
  });
  return {
    ...rest,
    ...(errors && {
      errors: errors.map(({ fallback, ...error }): GraphError => {
        if (!fallback || !('skill' in fallback)) return { ...error, ...(fallback && { fallback }) };
        const { subgraph, ...own } = fallback;
        return { ...error, fallback: { ...own, ...(subgraph && { subgraph: importShape(subgraph) }) } };
      }),
    }),
    nodes: nodes.map(({ subgraph, ...node }) => ({
      ...place(node),
      ...(subgraph && { subgraph: importShape(subgraph) }),
    })),
    interrupts: interrupts.map(place),
  };
}

const NO_SPAN: Span = { start: 0, end: 0 };

/** The end of a run, as far as a summary needs it. */
type End =
  | { readonly kind: 'met' | 'unmet'; readonly on: ExitCondition['on'] }
  | { readonly kind: 'failed'; readonly code: string }
  | { readonly kind: 'waiting'; readonly question: { readonly name: string } }
  | { readonly kind: 'asking' };

export function summaryOf({ path, interrupts, end }: Omit<RunSummary, 'end'> & { readonly end: End }): RunSummary {
  return { path, interrupts, end: describeEnd(end) };
}

function describeEnd(end: End): string {
  switch (end.kind) {
    case 'met':
      return end.on;
    case 'unmet':
      return `${end.on}, not met`;
    case 'failed':
      return end.code;
    case 'waiting':
      return `waits at ${end.question.name}`;
    case 'asking':
      return 'asks a model';
  }
}

// The files of the project.

export interface ProjectParts {
  /** The name of the project and of its graph: letters, digits and hyphens. */
  readonly name: string;
  readonly shape: ExportedShape;
  readonly skill: ExportedSkill;
  readonly samples: readonly object[];
  /** The names of the tools and the services. */
  readonly tools: readonly string[];
  /** The JavaScript of the runtime. */
  readonly runtime: string;
  /** The version of Skill Composer. */
  readonly version: string;
  /** The exact versions of the packages that the runtime imports, by name. */
  readonly dependencies: ReadonlyMap<string, string>;
}

export interface ProjectFile {
  readonly path: string;
  readonly text: string;
  /** True for a file that the user edits, and that another export leaves as it is. */
  readonly isEdited: boolean;
}

/** The packages of the project that only its developer needs, with exact versions. */
const DEVELOPMENT = {
  '@langchain/langgraph-cli': '1.5.1',
  '@types/node': '22.19.1',
  // The schemas of LangGraph's server need this major version.
  typescript: '5.9.3',
};

/** Returns the files of a project. The same parts always give the same files. */
export function projectFiles(parts: ProjectParts): readonly ProjectFile[] {
  const { name, shape, skill, samples, tools, runtime, version, dependencies } = parts;
  const edited = (path: string, text: string): ProjectFile => ({ path, text, isEdited: true });
  const generated = (path: string, text: string): ProjectFile => ({ path, text, isEdited: false });
  const manifest = {
    ...{ name, version: '0.1.0', private: true, type: 'module' },
    engines: { node: '>=20.19' },
    scripts: { dev: 'langgraphjs dev', test: 'node --test', types: 'tsc' },
    dependencies: Object.fromEntries(dependencies),
    devDependencies: DEVELOPMENT,
  };
  const server = { node_version: '22', graphs: { [name]: './graph.ts:graph' }, env: '.env' };
  return [
    edited('graph.ts', GRAPH),
    edited('README.md', readme(name, version)),
    edited('package.json', json(manifest)),
    edited('langgraph.json', json(server)),
    edited('tsconfig.json', json(TYPES)),
    edited('.gitignore', 'node_modules/\n.langgraph_api/\n.env\n'),
    generated('skill/shape.json', json(shape)),
    generated('skill/skill.json', json(skill)),
    generated('skill/samples.json', json(samples)),
    generated('skill/runtime.js', runtime),
    generated('skill/runtime.d.ts', types(tools)),
    generated('skill/dry-run.test.js', TESTS),
  ];
}

const json = (value: unknown): string => `${escapeInvisibleInJson(JSON.stringify(value, undefined, 2))}\n`;

const TYPES = {
  compilerOptions: {
    ...{ target: 'ES2022', lib: ['ES2023'], module: 'NodeNext', strict: true, noEmit: true },
    ...{ noUncheckedIndexedAccess: true, skipLibCheck: true, types: ['node'] },
  },
  include: ['*.ts'],
};

/** Returns a statement of a project, which is not an import of this file. */
const importOf = (names: string, from: string): string => `import ${names} from '${from}';`;

const GRAPH = `/** The graph of the skill for LangGraph's server. Fill in \`askModel\` and \`callTool\`. */
${importOf('{ type Json, type ModelQuery, type ModelReply, readProject, skillGraph, type ToolCall }', './skill/runtime.js')}

/**
 * Asks a model for its next tool call, or for its output. README.md shows an example.
 *
 * To fail, throw an error. If it has a \`code\`, the retries of the skill can name it.
 */
async function askModel(query: ModelQuery): Promise<ModelReply> {
  throw new Error(\`Fill in \\\`askModel\\\` in graph.ts. It is called at \\\`\${query.path}\\\`.\`);
}

/**
 * Calls a tool, or the service of a contract, and returns its result.
 *
 * To fail, throw an error. If it has a \`code\`, the retries of the skill can name it.
 */
async function callTool({ name, input }: ToolCall): Promise<Json> {
  switch (name) {
    default:
      throw new Error(\`Fill in \\\`\${name}\\\` in graph.ts. Its input is \${JSON.stringify(input)}.\`);
  }
}

/** Makes a graph for each run. */
export const graph = skillGraph(readProject(import.meta.url), { askModel, callTool });
`;

const TESTS = `/** Runs each sample of the skill without a model and without tools. The run must be the same as in the export. */
${importOf('assert', 'node:assert/strict')}
${importOf('{ describe, it }', 'node:test')}
${importOf('{ dryRun, readProject }', './runtime.js')}

const project = readProject(new URL('..', import.meta.url));

describe('a dry run of', () => {
  for (const sample of project.samples) {
    it(sample.name, async () => {
      assert.deepEqual(await dryRun(project, sample), sample.expected);
    });
  }
});
`;

const readme = (name: string, version: string): string => `# ${name}

This project runs one skill on [LangGraph's server](https://docs.langchain.com/langgraph-platform). Skill Composer ${version} made it.

    npm install
    npm test           # the dry run of each sample: no model and no tool is called
    npm run types      # checks graph.ts
    npm run dev        # the in-memory development server, on http://localhost:2024

\`npm run dev\` opens LangGraph Studio in a browser; \`npm run dev -- --no-browser\` does not. The command sends usage data unless
\`LANGGRAPH_CLI_NO_ANALYTICS\` is \`1\`.

## What to fill in

\`graph.ts\` contains two functions. The types in \`skill/runtime.d.ts\` describe their parameters and results.

- **\`askModel\`** asks a model. Return \`{call: NAME, input}\` for one tool call, or \`{output}\` for the result of the step. If the query has
  a \`schema\`, the output must match it; text that contains JSON is parsed.
- **\`callTool\`** calls a tool, or the backing service of a contract, and returns its result as JSON.

For example, with \`npm install @langchain/openai\`, and the key of the model in the file \`.env\`:

\`\`\`ts
${importOf('{ ChatOpenAI }', '@langchain/openai')}

async function askModel(query: ModelQuery): Promise<ModelReply> {
  const tools = query.tools.map(({ name, description = '', inputSchema }) => ({
    type: 'function' as const,
    function: { name, description, parameters: (inputSchema ?? { type: 'object' }) as Record<string, unknown> },
  }));
  const { instructions, outputs, results, schema } = query;
  const reply = await new ChatOpenAI({ model: 'gpt-4.1' })
    .bindTools(tools, { parallel_tool_calls: false })
    .invoke([
      { role: 'system', content: query.prompt },
      { role: 'user', content: JSON.stringify({ instructions, outputs, results, outputSchema: schema }) },
    ]);
  const [call] = reply.tool_calls ?? [];
  return call ? { call: call.name, input: call.args } : { output: reply.text };
}
\`\`\`

Throw an error to fail. The \`retry\` of the skill can name the error's \`code\`: \`throw Object.assign(new Error('Busy'), { code: 'BUSY' })\`.

## Running it

The input of the graph is \`{"input": PARAMETERS, "request": TEXT}\`; the request may be omitted. The schema of the parameters is in the first
node of \`skill/shape.json\`. The result is \`output.value\` in the state. A thread may run the skill again; each run begins without the earlier state. With the
client of LangGraph:

\`\`\`ts
${importOf('{ Client }', '@langchain/langgraph-sdk')}

const client = new Client({ apiUrl: 'http://localhost:2024' });
const { thread_id } = await client.threads.create();
await client.runs.wait(thread_id, '${name}', { input: { input: parameters, request: 'Begin.' } });
for (;;) {
  const { tasks, values } = await client.threads.getState(thread_id);
  const questions = tasks.filter(({ result }) => !result).flatMap(({ interrupts }) => interrupts);
  if (questions.length === 0) {
    console.log(values);
    break;
  }
  const answers = await Promise.all(questions.map(async ({ id, value }) => [id, await answerTo(value)]));
  await client.runs.wait(thread_id, '${name}', { command: { resume: Object.fromEntries(answers) } });
}
\`\`\`

An interrupt of the skill pauses the run. \`answerTo\` is your function that asks a person: its parameter has the name, the path and the message
of the interrupt, the schema of the answer, and the call that it is about.

- **Read the questions from the state of the thread.** Steps that run in parallel may wait at the same time. The reply of \`runs.wait\`
  and \`interrupts\` of the thread do not always list all of them, and may list answered ones.
- **Answer by ID**: \`{ resume: { [id]: answer } }\`, with one or more of the questions. Any other answer fails with \`WRONG_ANSWER\`, and the
  questions still wait. Only \`false\` declines: any other value, also \`null\` or text, continues the run or makes the call.
- **Use a thread.** A run without a thread cannot pause, and fails at its first interrupt.

A failure has a code, such as \`OUTPUT_MISMATCH\`. The server replies with the status 200 and \`__error__\`, whose \`message\` is JSON with the code
in \`error\`; the client of LangGraph throws an error with this text. \`graph()\` makes a graph for one run without a server; set its
\`checkpointer\` for interrupts.

## Files

| file | content |
|---|---|
| \`graph.ts\`, \`package.json\`, \`langgraph.json\`, \`tsconfig.json\`, \`README.md\`, \`.gitignore\` | yours: another export with \`--force\` keeps them |
| \`skill/shape.json\` | the graph of the skill |
| \`skill/skill.json\` | the skill, and the skills that it composes, for the prompts |
| \`skill/samples.json\` | the samples, with the steps, the interrupts and the end of their dry runs |
| \`skill/runtime.js\`, \`skill/runtime.d.ts\` | the runtime: it makes the graph, and composes the prompts during the run |
| \`skill/dry-run.test.js\` | the tests |

After a change to the skill, export it again with \`--force\`.
`;

const types = (tools: readonly string[]): string => `/** The types of runtime.js. */
${importOf('type { BaseChannel, CompiledStateGraph }', '@langchain/langgraph')}

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = { readonly [name: string]: Json };

/** The tools and services of the skill, and of the skills that it composes. */
export type ToolName = ${tools.length === 0 ? 'string' : tools.map((name) => json(name).trim()).join(' | ')};

/** The question to a model at a step of the skill. */
export interface ModelQuery {
  /** The step, for example \`plan_1\`, or \`road/plan_1\` in a composed skill. */
  readonly path: string;
  /** The name of the step or of its stage, for people. */
  readonly label: string;
  /** The prompt of the skill, with the values of this run. */
  readonly prompt: string;
  /** The instructions of this step. */
  readonly instructions?: string;
  /** The tool calls of this skill so far, oldest first. */
  readonly results: readonly { readonly tool: string; readonly input: JsonObject; readonly result: Json }[];
  /** The outputs of the composed skills and of the earlier stages, oldest first. */
  readonly outputs: readonly { readonly name: string; readonly value: Json }[];
  /** The tools that may be called at this step. */
  readonly tools: readonly {
    readonly name: string;
    readonly description?: string;
    /** The JSON Schema of the input. */
    readonly inputSchema?: Json;
  }[];
  /** The model that the skill names. */
  readonly model?: string;
  /** The JSON Schema that the output must match. */
  readonly schema?: Json;
}

/** A call of one of the tools, or the output of the step. */
export type ModelReply = { readonly call: string; readonly input: JsonObject } | { readonly output: Json };

export interface ToolCall {
  readonly name: ToolName;
  readonly input: JsonObject;
  readonly path: string;
}

export interface Functions {
  readonly askModel: (query: ModelQuery) => ModelReply | Promise<ModelReply>;
  readonly callTool: (call: ToolCall) => Json | Promise<Json>;
}

/** The value with which a run pauses at an interrupt. The answer is \`{resume: {[ID]: ANSWER}}\`, with the ID of the interrupt. */
export interface Interrupt {
  readonly name: string;
  readonly path: string;
  readonly message?: string;
  /** The JSON Schema of the answer. */
  readonly schema?: Json;
  /** The reason why the previous answer was not accepted. */
  readonly problem?: string;
  /** The call that the interrupt precedes or follows. */
  readonly call?: { readonly tool: string; readonly input: JsonObject };
}

export interface GraphInput {
  /** The parameters of the skill. */
  readonly input: JsonObject;
  /** The user's request. */
  readonly request?: string;
}

export interface GraphState extends Required<GraphInput> {
  /** The parameters, and the values of steps that have ended. */
  readonly flow: JsonObject;
  /** The outputs of composed skills, by the name of their step. */
  readonly outputs: JsonObject;
  readonly output?: { readonly value: Json };
  /** The interrupt that ended the run, because it is the exit condition. */
  readonly ended?: string;
}

export interface Sample {
  readonly name: string;
  readonly expected: RunSummary;
}

export interface RunSummary {
  readonly path: readonly string[];
  readonly interrupts: readonly string[];
  readonly end: string;
}

export interface Project {
  readonly samples: readonly Sample[];
}

/** Reads the files of the folder \`skill\` beside a file, or in a folder whose URL ends with a slash. */
export function readProject(beside: string | URL): Project;

/** Returns a function that makes a graph for one run. */
export function skillGraph(
  project: Project,
  functions: Functions,
): () => CompiledStateGraph<GraphState, GraphInput, string, Channels<GraphInput>, Channels<GraphState>>;

/** The channels from which the server derives the schemas of the graph. */
type Channels<Of> = { [Name in keyof Of]-?: BaseChannel<Of[Name], Of[Name]> };

/** Runs a sample without a model and without tools. */
export function dryRun(project: Project, sample: Sample): Promise<RunSummary>;
`;
