/** One small workspace with a name of every kind, and the results of the editor features as lines of text. */
import { strict as assert } from 'node:assert';
import type { Analysis } from '../../../../server/src/analysis/analysis.ts';
import { Workspace } from '../../../../server/src/analysis/workspace.ts';
import { utf16 } from '../../../../server/src/features/locate.ts';
import { definition, highlights, references } from '../../../../server/src/features/navigation/definition.ts';
import { movedUri } from '../../../../server/src/features/rename/plan.ts';
import { isRefusal, planRename, prepareRename } from '../../../../server/src/features/rename/rename.ts';
import type { SkillFile } from '../../../../server/src/skill/skill-file.ts';
import { applyEdits, lineEnd, offsetAt } from '../../../../server/src/text.ts';

export const WORLD: Readonly<Record<string, string>> = {
  'skills.config.yaml': `tools:
  - {name: read_page, input_schema: {slug: string}, operation: READ, scope: read:pages}
  - {name: note, operation: READ}
scopes: [read:pages]
roles: {archivist: [read:pages]}
profiles: [{name: desk, role: archivist, tools: [read_page, search-canon]}]
interrupts: [{name: on_clash, node: call_tools}]
effects: [Embed]
models: [local]
`,
  'skills.tools.json': '{"tools": [{"name": "served", "server": "s"}]}',
  'search-canon.skill.yaml': `name: search-canon
description: Searches.
version: 1.0.0
level: 1
input_schema: {query: string}
output_schema: {found: string}
operation: READ
policy: {idempotent: true, idempotency_key: "{query}"}
backing_service: {endpoint: "canon.example:1"}
`,
  'find-page.skill.md': `---
name: find-page
description: Finds a page.
version: 1.0.0
level: 1
required_scopes: [read:pages]
allowed_roles: [archivist]
tools: [{name: read_page, constraints: {properties: {slug: {pattern: "^a"}}}}, search-canon, served]
interrupts: [{name: on_clash, when: tone == "grim"}]
effects: [Query, Embed]
input_schema:
  tone: string
  cast: {type: array, items: {properties: {role: string}, required: [role]}}
output_schema: {page: string}
framing: main
samples:
  dusk: {parameters: {tone: grim, cast: [{role: pilot}]}, profile: desk, model: local}
---

## Approach: find

1. **Look**: use #tool:read_page and #tool:search-canon, ask at #interrupt:on_clash; see #artifact:main.

## Description: grim
\`\`\`yaml artifact
include_when: tone == "grim"
\`\`\`

Grim.

## PromptTemplate: main

{% set cap = tone | upper %}{{ cap }} {{ parameters.tone }}
{% for one in cast %}{{ one.role }}{% endfor %}
{% include "tail" %}

## PromptTemplate: tail

{{ cap }} {{ user_request }}

## Example: first

### Input

\`\`\`yaml
tone: grim
cast: [{role: clerk}]
\`\`\`

### Output

\`\`\`yaml
page: tollhouse
\`\`\`
`,
  'judge.skill.md': `---
name: judge
description: Judges.
version: 1.0.0
level: 1
input_schema: {text: string}
output_schema: {verdict: string}
---

Judge. Better than #skill:find-page.
`,
  'report.skill.md': `---
name: report
description: Reports.
version: 1.0.0
level: 2
required_scopes: [read:pages]
effects: [Query, Embed]
operation: READ
input_schema:
  tone: string
  cast: {type: array, items: {properties: {role: string}, required: [role]}}
output_schema: {verdict: string}
composes:
  - find-page
  - skill: judge
    as: rule
    input_mapping: {page: text}
execution:
  - step: find-page
    inputs: {tone: $input.tone}
  - step: rule
    condition: $find-page.output.page != ""
requires: [{skill: find-page, version: ^1.0.0}]
---

Report.
`,
  'notes/tidy/SKILL.md': `---
name: tidy
description: Tidies notes. Use it for notes.
---

Tidy. See [how](how.md).
`,
};

export interface Cursor {
  readonly analysis: Analysis;
  readonly file: SkillFile;
  readonly offset: number;
}

export type Files = Readonly<Record<string, string>>;

const ROOT = 'file:///skills-here/';

const analyses = new WeakMap<Files, Analysis>();

export function analysisOf(files: Files): Analysis {
  const known = analyses.get(files) ?? readAnalysis(files);
  analyses.set(files, known);
  return known;
}

function readAnalysis(files: Files): Analysis {
  const workspace = new Workspace();
  for (const [path, text] of Object.entries(files)) workspace.apply({ kind: 'text', uri: ROOT + path, text });
  return workspace.analysis;
}

/** Returns the cursor at the `¦` in an excerpt from a file: `at('report.skill.md', '- find-¦page')`. */
export function at(path: string, marked: string, files: Files = WORLD): Cursor {
  const analysis = analysisOf(files);
  const file = analysis.file(ROOT + path);
  const start = file?.text.indexOf(marked.replace('¦', '')) ?? -1;
  assert.ok(file && start >= 0, `${path} has \`${marked}\``);
  return { analysis, file, offset: start + marked.indexOf('¦') };
}

interface Place {
  readonly uri: string;
  readonly range: {
    readonly start: { line: number; character: number };
    readonly end: { line: number; character: number };
  };
}

/**
 * A location such as `report.skill.md 14: - «find-page»`: the line number, counted from 1, and the line with the span
 * marked.
 */
function shown(analysis: Analysis, { uri, range }: Place): string {
  const path = uri.slice(ROOT.length);
  const file = analysis.file(uri);
  if (!file) return path;
  const { text, lines } = file;
  const start = offsetAt(text, lines, range.start);
  const end = offsetAt(text, lines, range.end);
  const from = Math.max(lines[range.start.line] ?? 0, start - 24);
  const to = Math.min(lineEnd(text, lines, range.start.line), end + 24);
  return `${path} ${range.start.line + 1}: ${`${text.slice(from, start)}«${text.slice(start, end)}»${text.slice(end, to)}`.trim()}`;
}

export const definitionsAt = (path: string, marked: string, files?: Files): readonly string[] => {
  const { analysis, file, offset } = at(path, marked, files);
  return definition(analysis, file, offset, utf16, false).map((place) => shown(analysis, place as Place));
};

export const referencesAt = (path: string, marked: string, declaration = true, files?: Files): readonly string[] => {
  const { analysis, file, offset } = at(path, marked, files);
  return references(analysis, file, offset, utf16, declaration).map((place) => shown(analysis, place));
};

export const highlightsAt = (path: string, marked: string, files?: Files): readonly string[] => {
  const { analysis, file, offset } = at(path, marked, files);
  return highlights(analysis, file, offset, utf16).map(
    ({ range, kind }) => `${kind === 3 ? 'write' : 'read'} ${shown(analysis, { uri: file.uri, range })}`,
  );
};

/** The name that may be renamed, for example `tone`, or the reason for a refusal. */
export function preparedAt(path: string, marked: string, files?: Files): string {
  const { analysis, file, offset } = at(path, marked, files);
  const answer = prepareRename(analysis, file, offset, utf16);
  return isRefusal(answer) ? answer.refusal : `«${answer.placeholder}»`;
}

/** The changed lines after a rename and the moved files, or the reason for a refusal. */
export function renamedAt(
  path: string,
  marked: string,
  newName: string,
  files: Files = WORLD,
): readonly string[] | string {
  const { analysis, file, offset } = at(path, marked, files);
  const plan = planRename(analysis, file, offset, newName);
  if (isRefusal(plan)) return plan.refusal;
  const lines = plan.edits.flatMap(({ uri, edits }) => {
    const before = analysis.file(uri)?.text.split('\n') ?? [];
    const after = applyEdits(before.join('\n'), edits).split('\n');
    return after.flatMap((line, i) =>
      before.includes(line) ? [] : [`${uri.slice(ROOT.length)} ${i + 1}: ${line.trim()}`],
    );
  });
  const moves = plan.moves.map(({ from, to }) => `${from.slice(ROOT.length)} → ${to.slice(ROOT.length)}`);
  return [...lines, ...moves];
}

/** The whole workspace after a rename. */
export function afterRename(path: string, marked: string, newName: string, files: Files = WORLD): Files {
  const { analysis, file, offset } = at(path, marked, files);
  const plan = planRename(analysis, file, offset, newName);
  assert.ok(!isRefusal(plan), isRefusal(plan) ? plan.refusal : '');
  return Object.fromEntries(
    Object.entries(files).map(([one, text]) => {
      const edits = plan.edits.find(({ uri }) => uri === ROOT + one)?.edits ?? [];
      return [movedUri(ROOT + one, plan.moves).slice(ROOT.length), applyEdits(text, edits)];
    }),
  );
}
