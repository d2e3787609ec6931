/** The editor's own agents and the tools of this extension, before and after a workspace is trusted. */
import { strict as assert } from 'node:assert';
import { walk } from '../walk.ts';

const OURS = 'Skill Composer';

walk.extended(
  'a person trusts a folder, and its agents have the server, the skill and the tools',
  async (openFolder) => {
    const workbench = await openFolder('wiki-tools', 'untrusted');
    const { page, which, open, palette, paletteList, press, shows, screenshot } = workbench;
    // The oldest VS Code supports neither servers nor skills of extensions.
    const isNewest = which === 'latest';
    const said = (answer: string) => page.locator('.editor-instance .view-line', { hasText: answer }).first().waitFor();
    await open('read-page.skill.md');
    await page.locator('.part.banner', { hasText: 'Restricted Mode' }).waitFor();
    await palette('Tests: Call skill_check');
    await said('Refused');
    await screenshot('agents-1-refused');
    if (isNewest) {
      const servers = await paletteList('MCP: List Servers', 'Add Server');
      assert.doesNotMatch((await servers.allTextContents()).join(), new RegExp(OURS));
      await press('Escape');
    }

    await palette('Workspaces: Manage Workspace Trust');
    await page.getByRole('button', { name: 'Trust', exact: true }).click();
    await page.locator('.part.banner', { hasText: 'Restricted Mode' }).waitFor({ state: 'hidden' });
    await screenshot('agents-2-trusted');
    await open('read-page.skill.md');
    await palette('Tests: Call skill_check');
    await said('Answer');
    await shows(/ok\W+true/);
    if (isNewest) {
      await paletteList('MCP: List Servers', OURS);
      await screenshot('agents-3-servers');
      await press('Escape');
      await paletteList('Chat: Configure Skills', 'write-skills');
      await screenshot('agents-4-skills');
      await press('Escape');
    }

    const tools = await paletteList('Skill: Add Tools from the Editor', /^[a-z]+_[a-z_]+/);
    await page.keyboard.insertText('search_notes');
    await tools.filter({ hasText: 'skill_check' }).first().waitFor({ state: 'detached' });
    await screenshot('agents-5-tools');
    await tools.first().click();
    await press('Enter');
    await open('skills.tools.json');
    await shows(/"name": "search_notes".*"from": "editor"/s);
  },
);
