/** The steps of an agent that writes a skill: reading, creating, fixing, composing, matching, raising the version. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { CATALOG, checkJson, folderWith, skill } from './cli.ts';
import { type Answer, agentIn } from './mcp.ts';

const rulesOf = ({ findings }: Answer): readonly string[] => findings.map(({ rule }: { rule: string }) => rule);

it('an agent creates a skill without findings in several calls', async () => {
  const folder = folderWith({
    'skills.config.yaml': CATALOG,
    'skills/summarize-page.skill.md': skill('summarize-page', 'tools: [read_page]'),
  });
  const agent = await agentIn(folder);
  const request = 'compare two pages of the wiki and list what differs';
  const [nearest] = (await agent.call('match_skill', { request })).matches;
  assert.ok(nearest.score < 0.1, 'no skill matches the request yet');

  const wanted = {
    name: 'compare-pages',
    description: 'Compares two pages of the wiki and lists what differs. Use it when somebody asks what has changed.',
    framing: 'Read both pages with #tool:reed_page, then list what differs, most telling first.',
    input_schema: { left: 'string', right: 'string' },
    output_schema: { differences: 'string[]' },
    tools: ['reed_page'],
    metadata: { samples: { 'two gates': { parameters: { left: 'north', right: 'south' } } } },
  };
  const refused = await agent.call('create_skill', wanted);
  assert.deepEqual([refused.reason, rulesOf(refused).includes('unknown-tool')], ['invalid', true]);
  const draft = await agent.call('create_skill', { ...wanted, allow_errors: true });
  assert.ok(draft.ok);

  // The agent applies fixes until there are no errors.
  for (;;) {
    const { findings, digest } = await agent.call('check_skill', { skill: 'compare-pages' });
    const broken = findings.find((one: { severity: string }) => one.severity === 'error');
    if (!broken) break;
    const { rule, fixes } = broken;
    const fixed = await agent.call('apply_fix', { skill: 'compare-pages', rule, title: fixes[0].title, digest });
    assert.ok(fixed.ok, JSON.stringify(fixed));
  }
  const composed = await agent.call('compose_skill', { skill: 'compare-pages', sample: 'two gates', request });
  assert.match(composed.composition.prompt, /list what differs/);
  assert.equal((await agent.call('match_skill', { request })).matches[0].name, 'compare-pages');

  const example = await agent.call('add_artifact', {
    ...{ skill: 'compare-pages', kind: 'Example', name: 'two gates' },
    content: { input: { left: 'north', right: 'south' }, output: { differences: ['The south gate is shut.'] } },
  });
  assert.deepEqual([example.ok, example.findings], [true, []]);
  assert.equal((await agent.call('test_skill', { skill: 'compare-pages' })).summary.failed, 0);

  const widened = await agent.call('update_skill', {
    ...{ skill: 'compare-pages', digest: example.digest },
    set: { output_schema: { differences: 'string[]', verdict: 'string' } },
    allow_errors: true,
  });
  assert.ok(widened.ok, JSON.stringify(widened));
  assert.equal(
    widened.diff,
    [
      '--- a/skills/compare-pages.skill.md',
      '+++ b/skills/compare-pages.skill.md',
      '@@ -7,8 +7,9 @@',
      '   left: string',
      '   right: string',
      ' output_schema:',
      '   differences: string[]',
      '+  verdict: string',
      ' samples:',
      '   two gates:',
      '     parameters:',
      '       left: north',
      '',
    ].join('\n'),
  );
  const { demandedVersion, changes } = widened.contract;
  assert.deepEqual([demandedVersion, changes[0].message], ['0.1.1', 'The output `verdict` is new.']);
  const bumped = await agent.call('update_skill', {
    ...{ skill: 'compare-pages', digest: widened.digest },
    set: { version: demandedVersion },
    allow_errors: true,
  });
  assert.ok(bumped.ok);
  const data = { input: { left: 'north', right: 'south' }, output: { differences: [], verdict: 'They are the same.' } };
  const fixed = await agent.call('update_artifact', {
    ...{ skill: 'compare-pages', kind: 'Example', name: 'two gates' },
    content: data,
  });
  assert.deepEqual([fixed.ok, fixed.findings], [true, []]);
  const { composed_by, version } = await agent.call('get_skill', { skill: 'compare-pages' });
  assert.deepEqual([composed_by, version], [[], '0.1.1']);
  const { findings } = await checkJson(folder);
  assert.deepEqual(findings, []);
});
