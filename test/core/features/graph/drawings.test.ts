/** Graphs in the languages of Mermaid and Graphviz. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { toDot, toMermaid } from '../../../../server/src/features/graph/drawing.ts';
import { graphView, NO_FINDINGS } from '../../../../server/src/features/graph/graph-view.ts';
import { openSkills, uriOf } from '../../workspace/skills.ts';

const viewOf = (skills: Parameters<typeof openSkills>[0], ...roots: readonly string[]) =>
  graphView(openSkills(skills).analysis, {
    ...(roots.length > 0 ? { roots: roots.map(uriOf) } : {}),
    countFindings: () => NO_FINDINGS,
  });

const SKILLS: Parameters<typeof openSkills>[0] = {
  whole: [
    'level: 2',
    'composes: [{skill: part, as: first}, gone]',
    'requires: [{skill: part, version: "^1.0.0"}]',
    'execution: [{step: first}, {step: gone}]',
  ],
  part: ['level: 1', 'version: 1.2.0', 'policy: {budget: {p95_ms: 40}}'],
};

const CYCLE: Parameters<typeof openSkills>[0] = { a: ['composes: [b]'], b: ['composes: [a]'] };

describe('Mermaid', () => {
  it('groups skills by level, and highlights unknown skills and the slowest path', () => {
    assert.equal(
      toMermaid(viewOf(SKILLS)),
      `flowchart TB
  subgraph group_1["Level 2"]
    s_whole["whole<br/>1.0.0 · level 2 · 40 ms"]
  end
  subgraph group_2["Level 1"]
    s_part["part<br/>1.2.0 · level 1 · 40 ms"]
  end
  s_gone["gone<br/>unknown skill"]
  s_whole ==>|"stage 1 · as first · ^1.0.0 → 1.2.0"| s_part
  s_whole -.->|"stage 2"| s_gone
  classDef unknown stroke-dasharray:5 5
  class s_gone unknown
`,
    );
  });

  it('groups the composed skills of one skill by stage', () => {
    assert.match(
      toMermaid(viewOf(SKILLS, 'whole'), uriOf('whole')),
      /subgraph group_1\["Stage 1"\]\n {4}s_part.*\n {2}end\n {2}subgraph group_2\["Stage 2"\]\n {4}s_gone.*\n[\s\S]*\n {2}group_1 ~~~ group_2\n/,
    );
  });

  it('marks cycles', () => {
    const text = toMermaid(viewOf(CYCLE));
    assert.match(text, /s_a ==>\|"cycle"\| s_b\n {2}s_b ==>\|"cycle"\| s_a/);
    assert.match(text, /class s_a,s_b cycle\n {2}linkStyle 0,1 stroke:red/);
  });
});

describe('Graphviz', () => {
  it('contains the same nodes and edges as the Mermaid output', () => {
    assert.equal(
      toDot(viewOf(SKILLS)),
      `digraph skills {
  rankdir=TB;
  node [shape=box, style=rounded];
  s_whole [label="whole\\n1.0.0 · level 2 · 40 ms"];
  s_gone [label="gone\\nunknown skill", style="dashed"];
  s_part [label="part\\n1.2.0 · level 1 · 40 ms"];
  { rank=same; s_whole; } // Level 2
  { rank=same; s_part; } // Level 1
  s_whole -> s_part [label="stage 1 · as first · ^1.0.0 → 1.2.0", penwidth="2"];
  s_whole -> s_gone [label="stage 2", style="dashed"];
}
`,
    );
  });

  it('draws stages in sequence', () => {
    const text = toDot(viewOf(SKILLS, 'whole'), uriOf('whole'));
    assert.match(text, /rank=same; s_part; } \/\/ Stage 1\n {2}{ rank=same; s_gone; } \/\/ Stage 2/);
    assert.match(text, /s_part -> s_gone \[style=invis\];/);
  });
});

describe('a hostile name', () => {
  const names = [
    '%%{init: {"theme":"dark"}}%%',
    '"] --> x; click x href "javascript:alert(1)"',
    '<img src=x onerror=alert(1)>',
    '`x` #35; style:#1; |',
    '\\',
    '\\"',
    'a\u202eb\u0007c',
    'end',
    '&quot;',
    'x'.repeat(10_000),
  ];
  const view = viewOf({ user: [`composes: ${JSON.stringify(names)}`] });

  it('contains only safe characters and numbered entities in Mermaid', () => {
    const label = /^ {2}s_\w+\["(?:[\p{L}\p{N} ._,^~·→…-]|#\d+;|<br\/>)*"\]$/u;
    const edge = /^ {2}s_\w+ -\.->(?:\|"stage \d+"\|)? s_\w+$/;
    const lines = toMermaid(view).split('\n');
    assert.equal(lines.filter((line) => label.test(line)).length, names.length + 1);
    assert.equal(lines.filter((line) => edge.test(line)).length, names.length);
    assert.ok(lines.every((line) => line.length < 1000));
    // The other five lines are the header, the node of `user`, two lines of style, and the empty string after the last
    // line break.
    assert.equal(lines.length, 2 * names.length + 5);
  });

  it('does not end a string in Graphviz', () => {
    const label = /^ {2}s_\w+ \[label="(?:[^"\\]|\\["\\n])*"(?:, style="dashed")?\];$/;
    const lines = toDot(view)
      .split('\n')
      .filter((line) => /^ {2}s_\w+ \[/.test(line));
    assert.deepEqual(
      lines.filter((line) => !label.test(line)),
      [],
    );
    assert.equal(lines.length, names.length + 1);
  });

  it('never merges two nodes', () => {
    const drawn = toMermaid(viewOf({ user: ['composes: [a-b, a_b, "a b", A-B]'] }));
    assert.equal(new Set(drawn.match(/^ {2}s_\w+(?=\[)/gm)).size, 5);
  });
});

it('marks disabled skills in both formats, and draws them in a lighter colour', () => {
  const workspace = openSkills(SKILLS);
  const text = 'permissions: {part: {enabled: false}}\n';
  workspace.apply({ kind: 'text', uri: 'file:///w/skills.config.yaml', text });
  const view = graphView(workspace.analysis, { countFindings: () => NO_FINDINGS });
  assert.match(toMermaid(view), /part<br\/>1\.2\.0 · level 1 · disabled in this workspace/);
  assert.match(toMermaid(view), /class s_part disabled/);
  assert.match(toDot(view), /disabled in this workspace.*fontcolor="?gray/);
});
