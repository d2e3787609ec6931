/** Instructions of an approach that need an optional tool which the caller does not have. */
import { strict as assert } from 'node:assert';
import { describe, it } from 'node:test';
import { composed, skill } from './composing.ts';

const CATALOG = `tools:
  - {name: read, description: Reads., operation: READ}
  - {name: save, description: Saves., operation: WRITE}
  - {name: send, description: Sends., operation: WRITE}
profiles: [{name: reader, tools: [read]}, {name: writer}]
`;

const HEAD = 'tools: [read, {name: save, optional: true}, {name: send, optional: true}]\n';

const compose = (approach: string, profile = 'reader', head = HEAD) =>
  composed(
    {
      'skills/test.skill.md': skill(head, `Do it.\n\n## Approach\n\n${approach}\n`),
      'skills.config.yaml': CATALOG,
    },
    { profile },
  );

/** The instructions and the guidance of the nodes, by node. */
const textOf = (approach: string, profile?: string) =>
  compose(approach, profile).subgraph.nodes.flatMap(({ id, instructions, guidance }) =>
    instructions === undefined && guidance === undefined ? [] : [`${id}: ${instructions ?? guidance}`],
  );

describe('the text of a stage that needs an absent optional tool', () => {
  const cases: Readonly<Record<string, string>> = {
    'Read with #tool:read. Save with #tool:save. Tell the author.': 'Read with #tool:read. Tell the author.',
    'Save with #tool:save. Tell the author.': 'Tell the author.',
    'Read with #tool:read and #tool:save.': 'Read with #tool:read.',
    'Read with #tool:save or #tool:read.': 'Read with #tool:read.',
    'Use #tool:save, #tool:read and #tool:send.': 'Use #tool:read.',
    'Use #tool:read, #tool:save, and #tool:send to work.': 'Use #tool:read.',
    'Write the page, then save it with #tool:save.': 'Write the page.',
    'Write the page; save it with #tool:save, and send it with #tool:send!': 'Write the page!',
    'Read it with #tool:read, then save it with #tool:save.': 'Read it with #tool:read.',
    'If #tool:save is there, save it; otherwise print it.': 'otherwise print it.',
    'Write it, e.g. with #tool:save. Be brief.': 'Be brief.',
    'Write `a. B` with #tool:save. Be brief.': 'Be brief.',
    'Write it.\n   - Save it with #tool:save.\n     In a new file.\n   - Be brief.':
      'Write it.\n   - In a new file.\n   - Be brief.',
    'Write it.\n   - Save it with #tool:save.\n     - In a new file.\n   - Be brief.': 'Write it.\n   - Be brief.',
    'Write it.\n\n   Save it with #tool:save.\n\n   Be brief.': 'Write it.\n\n   Be brief.',
    'Save it with #tool:save:\n   - first the title\n   - then the text\n\n   Be brief.': 'Be brief.',
    '**Save.** Save it with #tool:save.\n   Tell the author.': '**Save.**\n   Tell the author.',
    'Do not read `#tool:save`.': 'Do not read `#tool:save`.',
  };
  for (const [text, left] of Object.entries(cases)) {
    it(`is left out: ${JSON.stringify(text)}`, () => {
      assert.deepEqual(textOf(`1. Begin.\n2. ${text}`), ['plan_1: Begin.', `plan_2: ${left}`]);
    });
    it(`is kept if the caller has the tool: ${JSON.stringify(text)}`, () => {
      assert.deepEqual(textOf(`1. Begin.\n2. ${text}`, 'writer'), ['plan_1: Begin.', `plan_2: ${text}`]);
    });
  }

  it('leaves the stage out if no other text remains', () => {
    const approach = '1. **Read** with #tool:read.\n2. **Save** the page with #tool:save.\n3. **Tell** the author.';
    assert.deepEqual(textOf(approach), ['plan_1: **Read** with #tool:read.', 'plan_3: **Tell** the author.']);
    assert.deepEqual(textOf('1. **Save.** Use #tool:save.\n2. Tell.'), ['plan_2: Tell.']);
  });

  it('passes the text before the stages to the first remaining stage', () => {
    const before = 'Be brief. Use #tool:save.\n\n';
    assert.deepEqual(textOf(`${before}1. Save with #tool:save.\n2. Tell.`), ['plan_2: Be brief.\n\nTell.']);
    assert.deepEqual(textOf(`${before}1. Save with #tool:save.`), ['plan: Be brief.']);
  });

  it('is left out of the text after the stages and of an approach without stages', () => {
    assert.deepEqual(textOf('1. Tell.\n\nEnd. Use #tool:save.'), ['plan_1: Tell.', 'check_exit: End.']);
    assert.deepEqual(textOf('Be brief. Use #tool:save if you like.'), ['plan: Be brief.']);
  });

  it('does not let the stage call other tools', () => {
    const { subgraph } = compose('1. Write it. Save it with #tool:save.');
    assert.deepEqual(
      subgraph.nodes.map(({ id }) => id),
      ['validate_input', 'plan_1', 'check_exit'],
    );
  });

  it('has a decision with the reason', () => {
    const { decisions } = compose('1. Write it. Save it with #tool:save.');
    assert.deepEqual(
      decisions.flatMap(({ subject, name, reason }) => (subject === 'prose' ? [[name, reason]] : [])),
      [['Write it', 'it needs `save`, which the caller does not have']],
    );
  });
});
