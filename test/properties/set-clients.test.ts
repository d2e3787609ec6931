/** Laws of saving target clients in any catalog. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { catalogEdits } from '../../server/src/features/clients/set-clients.ts';
import { jsonOf } from '../../server/src/languages/yaml/node.ts';
import { SkillFile } from '../../server/src/skill/skill-file.ts';
import { applyEdits } from '../../server/src/text.ts';
import { parseCatalog } from '../../server/src/workspace/catalog.ts';
import { cases } from '../random.ts';

const fileOf = (text: string): SkillFile => new SkillFile('file:///w/skills.config.yaml', text);
const id = fc.constantFrom('claude-code', 'codex', 'pi', 'zed', 'vscode');
const ids = fc.uniqueArray(id, { maxLength: 4 });
/** The items of a list, also with duplicates, unknown names and quotes. */
const items = fc.array(fc.oneof(id, fc.constantFrom('codx', '"pi"', "'zed'")), { minLength: 1, maxLength: 4 });
const list = fc.oneof(
  fc.constantFrom(' []', '', ' null', ' codex'),
  items.map((all) => ` [${all.join(', ')}] # ours`),
  items.map((all) => all.map((one) => `\n    - ${one} # why`).join('')),
);
const targets = fc.oneof(
  fc.constantFrom('', 'agent_skills:\n', 'agent_skills: {}\n', 'agent_skills: {model: 1000}\n'),
  items.map((all) => `agent_skills: {clients: [${all.join(', ')}], model: 1000}\n`),
  fc
    .tuple(list, fc.constantFrom('', '  model: 1000 # tokens\n'))
    .map(([value, model]) => `agent_skills:\n  clients:${value}\n${model}`),
);
const catalog = fc
  .tuple(fc.constantFrom('', '# Ours.\n', 'rules: {unused-tool: off}\n'), targets, fc.constantFrom('', 'scopes: [a]\n'))
  .map((parts) => parts.join(''))
  .chain((text) => fc.constantFrom(text, text.replaceAll('\n', '\r\n')));

/** Returns the text after the clients are saved; fails if they cannot be saved. */
function saved(text: string, clients: readonly string[]): string {
  const edits = catalogEdits(fileOf(text), clients);
  if (typeof edits === 'string') throw new assert.AssertionError({ message: `${edits}\n${text}` });
  return applyEdits(text, edits);
}

const clientsOf = (text: string) => parseCatalog(fileOf(text)).agentSkills.clients;

function otherValues(text: string): string {
  const json = (jsonOf(fileOf(text).frontmatter.tree.root) ?? {}) as Record<string, Record<string, unknown> | null>;
  const { agent_skills: own, ...others } = json;
  return JSON.stringify([others, own?.model]);
}

test('a catalog names exactly the saved clients, keeps all other values, and saving them again changes nothing', () => {
  fc.assert(
    fc.property(catalog, ids, (text, clients) => {
      const after = saved(text, clients);
      assert.deepEqual(clientsOf(after), clients.length === 0 ? undefined : clients);
      assert.equal(otherValues(after), otherValues(text));
      assert.equal(saved(after, clients), after);
    }),
    cases(300),
  );
});
