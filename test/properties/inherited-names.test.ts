/** Names that every JavaScript object inherits are treated like other names, at every position and in every dialect. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { invocationContextOf } from '../../server/src/analysis/package-of.ts';
import { Workspace } from '../../server/src/analysis/workspace.ts';
import { prepareRequest } from '../../server/src/composer/prepare.ts';
import { completion } from '../../server/src/features/completion/completion.ts';
import { toDot, toMermaid } from '../../server/src/features/graph/drawing.ts';
import { graphView, NO_FINDINGS } from '../../server/src/features/graph/graph-view.ts';
import { hover } from '../../server/src/features/hover/hover.ts';
import { utf16 } from '../../server/src/features/locate.ts';
import { check } from '../../server/src/rules/engine/check.ts';
import { checkedPackageOf } from '../../server/src/rules/engine/checked-package.ts';
import { compose } from '../core/composer/composing.ts';
import { stride } from '../random.ts';

const ROOT = 'file:///w';

const TEXTS: Readonly<Record<string, string>> = {
  'skills/part.skill.md': `---
name: part
description: Tells the tide.
version: 1.2.0
author: Ines
license: MIT
tags: [tide]
level: 1
model_preference: [claude]
input_schema:
  tone: {type: string, enum: [grim, wry], default: grim, format: date}
  cast: {type: array, items: {properties: {first: string}}}
  note: string, a remark
output_schema: {type: object, properties: {words: {type: string, format: uri}, rest: {$ref: "#/$defs/more"}}, required: [words], $defs: {more: {type: integer}}}
tools: [read_page, {name: list_pages, constraints: {properties: {limit: {type: integer}}}}]
interrupts: [{name: before_exit, when: 'tone == "grim"'}]
errors: [{code: BUSY, description: later, retry: backoff, fallback: part}]
framing: main
effects: [Query, Embed]
operation: READ
policy: {idempotent: true, idempotency_key: "{{ note }}", retry: {attempts: 3, backoff: linear}, budget: {p95_ms: 5}}
samples:
  one: {request: tide, parameters: {tone: grim, cast: [{first: x}], note: n}, source: explicit, channel: north, profile: writer}
---

Use #tool:read_page and #artifact:main. # skill-disable-next-line unknown-tool

## Description: short

\`\`\`yaml artifact
include_when: tone == "grim"
extra: 1
\`\`\`

<!-- skill-disable-next-line unknown-tool -->
Prose about #tool:list_pages.

## PromptTemplate: main

\`\`\`yaml artifact
model_variant: claude
assertions: [{type: structural, schema: {words: string}}, {type: pattern, match: "^a"}]
\`\`\`

{% set own = tone %}{% for one in cast %}{{ one.first | upper }}{{ note[0] }}{{ parameters.tone }}{% endfor %}
{% if tone is defined %}{{ own | default(note) }}{% include "other" %}{% endif %}{{ range(3) }}{{ loop.index }}

## PromptTemplate: other

{% macro tell(who) %}{{ who }}{% endmacro %}{{ tell(who=tone) }}

## Example: storm

### Input

\`\`\`yaml
tone: grim
cast: []
note: n
\`\`\`

### Output

\`\`\`json
{"words": "wet", "rest": 1}
\`\`\`
`,
  'skills/whole.skill.md': `---
name: whole
description: Tells all of it.
version: 1.0.0
level: 3
input_schema: {tone: string, cast: object[], note: string}
output_schema: {words: string}
requires: [{skill: part, version: ^1.0.0}]
composes:
  - skill: part
    as: first
    input_mapping: {tone: tone}
    output_mapping: {words: said}
execution:
  - {step: first, inputs: {note: $input.note}, condition: $input.tone == "grim"}
  - parallel: [{step: first}]
samples: {one: {parameters: {tone: grim, cast: [], note: n}}}
---

By #skill:part.
`,
  'contracts/embed.skill.yaml': `name: embed
description: Embeds pages.
version: 1.0.0
input_schema: {slugs: "string[]"}
output_schema: {count: {type: integer, min: 0}}
errors: [{code: LOCKED, retry: never}]
effects: [Query]
operation: WRITE
policy: {rate_limit: {per_sec: 2}, timeout_ms: 5s}
backing_service: {endpoint: a.example}
surfaces: [{name: desk, canary_percent: 5}]
`,
  'notes/SKILL.md': `---
name: notes
description: Keeps notes. Use when a chapter changes.
license: MIT
compatibility: any
metadata: {author: Ines, version: "1.0"}
allowed-tools: Read Grep
model: opus
hooks: {PreToolUse: []}
---

# Notes

Read [the form](references/form.md).
`,
  'skills.config.yaml': `tools:
  - {name: read_page, description: Reads., input_schema: {slug: string}, operation: READ, scope: "read:pages"}
  - {name: list_pages, description: Lists., input_schema: {type: object, properties: {limit: {type: integer, format: date}}}, operation: READ, scope: "read:pages"}
scopes: ["read:pages"]
interrupts: [{name: before_exit, node: finish}]
effects: [{name: Embed, description: Embeds.}]
roles: {worldbuilder: ["read:pages"]}
profiles: [{name: writer, role: worldbuilder, tools: [read_page]}]
models: [claude]
rules: {unknown-tool: off}
composer: {examples: 3}
budgets: {latency: strict}
`,
  'skills.tools.json': `{"server": {"tools": [{"name": "find_page", "description": "Finds.", "inputSchema": {"type": "object", "properties": {"slug": {"type": "string", "format": "date"}}}}]}}`,
};

/** Each inherited name with a similar one that no object inherits. */
const NAMES = [
  ['__proto__', '__prota__'],
  ['constructor', 'canstructor'],
  ['toString', 'taString'],
  ['hasOwnProperty', 'hasOwnPraperty'],
  ['valueOf', 'valueAf'],
] as const;

interface Word {
  readonly path: string;
  readonly start: number;
  readonly word: string;
}

const words: readonly Word[] = Object.entries(TEXTS).flatMap(([path, text]) =>
  [...text.matchAll(/[A-Za-z_][\w-]*/g)].map((match) => ({ path, start: match.index, word: match[0] })),
);

/** A word and its two replacements: an inherited name and a similar name. */
interface Exchange {
  readonly word: Word;
  readonly names: (typeof NAMES)[number];
}

interface Case {
  readonly texts: Readonly<Record<string, string>>;
  /** The offsets within the names, by path. */
  readonly places: Readonly<Record<string, readonly number[]>>;
}

function exchanged(exchanges: readonly Exchange[], which: 0 | 1): Case {
  const texts: Record<string, string> = { ...TEXTS };
  const places: Record<string, number[]> = {};
  for (const { word, names } of exchanges.toSorted((a, b) => b.word.start - a.word.start)) {
    const text = texts[word.path] ?? '';
    const name = names[which];
    texts[word.path] = text.slice(0, word.start) + name + text.slice(word.start + word.word.length);
    const growth = name.length - word.word.length;
    places[word.path] = [word.start + 1, ...(places[word.path] ?? []).map((place) => place + growth)];
  }
  return { texts, places };
}

/** The output of findings, features and composer for the files, without words that quote other names. */
function saidOf({ texts, places }: Case, severities: Readonly<Record<string, string>>): unknown {
  const workspace = new Workspace();
  for (const [at, text] of Object.entries(texts)) {
    workspace.apply({ kind: 'text', uri: `${ROOT}/${at}`, text });
  }
  workspace.apply({ kind: 'severities', severities });
  const { analysis } = workspace;
  const said = [...analysis.allFiles()].map((file) => {
    const findings = check(file, analysis);
    const actions = findings.flatMap(({ fixes }) => fixes);
    const here = places[file.uri.slice(ROOT.length + 1)] ?? [];
    const docs = here.map((offset) => hover(analysis, file, offset, utf16));
    const offers = here.map((offset) => completion(analysis, file, offset, utf16));
    for (const text of [findings, actions, docs, offers].map((part) => JSON.stringify(part))) {
      assert.ok(!/\[native code\]|\[object \w+\]/.test(text), text);
    }
    return [
      file.uri,
      findings.map(({ rule, span }) => `${rule} ${span.start} ${span.end}`),
      docs.map((doc) => doc !== null && doc !== undefined),
      composedSamples(analysis, file.uri),
    ];
  });
  const view = graphView(analysis, { countFindings: () => NO_FINDINGS });
  toMermaid(view);
  toDot(view);
  return said;
}

function composedSamples(analysis: Workspace['analysis'], uri: string): readonly unknown[] {
  const skillPackage = checkedPackageOf(analysis, uri);
  if (!skillPackage) return [];
  return skillPackage.samples.map((sample) => {
    const { request } = prepareRequest(skillPackage, invocationContextOf(analysis, uri), sample.name);
    const result = compose(structuredClone(request));
    return result.ok || result.errors.map(({ kind, span }) => `${kind} ${span.start} ${span.end}`);
  });
}

/** The distance between words that are replaced together, so that most of the context of a word remains. */
const APART = 24;

test('an inherited name is treated like any other unknown name, at every position in every dialect', () => {
  for (const [first, names] of NAMES.entries()) {
    // With a stride, each position is tried with some of the names.
    for (let group = first % stride(1); group < APART; group += stride(1)) {
      const all = words.filter((_, at) => at % APART === group).map((word) => ({ word, names }));
      const where = all.map(({ word }) => `${word.word} at ${word.start} of ${word.path}`).join('\n');
      const said = saidOf(exchanged(all, 0), { [names[0]]: 'off' });
      assert.deepEqual(said, saidOf(exchanged(all, 1), { [names[1]]: 'off' }), `${names[0]} in place of\n${where}`);
    }
  }
});
