/** The tab *Abilities* of the preview: what scripts run, and is not analysed. */
import { strict as assert } from 'node:assert';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from '../outside.ts';
import { shownPreview } from '../preview.ts';

const SKILL = `---
name: deploy-app
description: Deploys the app to a cluster. Use it to release a version.
---

# Deploy the app

Run \`kubectl get pods\`, and then \`scripts/deploy.sh VERSION\`. Count with \`scripts/count.sh\`.
`;

const FILES: Readonly<Record<string, string>> = {
  'SKILL.md': SKILL,
  'scripts/deploy.sh':
    '#!/bin/bash\nset -euo pipefail\nhelm upgrade app ./chart --set version="$1"\nkubectl rollout status deployment/app\naws s3 cp notes.txt s3://releases/\nterraform apply -auto-approve\ndocker push app:"$1"\npsql -c "drop table old"\ngcloud sql instances delete old\n',
  'scripts/count.sh': '#!/bin/sh\nls | wc -l\ngrep -c app notes.txt\n',
  'scripts/plan.py': 'import json\nimport subprocess\n\nsubprocess.run(["kubectl", "delete", "namespace", "prod"])\n',
  'scripts/clean.rb': 'system("rm -rf build")\n',
};

test.extended('the list of abilities names the programs of scripts, and links to their lines', async (workbench) => {
  const { page, open, palette, screenshot } = workbench;
  const folder = new URL(page.url()).searchParams.get('folder') ?? '';
  const own = join(folder, 'deploy-app');
  mkdirSync(join(own, 'scripts'), { recursive: true });
  for (const [path, text] of Object.entries(FILES)) writeFileSync(join(own, path), text);
  try {
    await open('deploy-app/SKILL.md');
    await palette('Skill: Open Skill Preview');
    const { frame } = await shownPreview(page);
    await frame.getByRole('tab', { name: 'Abilities' }).click();
    const scripts = frame.getByRole('region', { name: 'Scripts and what they access' });
    const rowsOf = (name: string) => scripts.getByRole('listitem').filter({ hasText: name }).locator('dl > div');
    await rowsOf('deploy.sh').first().waitFor();
    await screenshot('abilities');
    assert.deepEqual(await rowsOf('deploy.sh').allTextContents(), [
      'runs programsawsdockergcloudhelmkubectlpsqlterraform(their effects are not analysed)',
    ]);
    assert.match(
      (await scripts.getByRole('listitem').filter({ hasText: 'count.sh' }).textContent()) ?? '',
      /no access outside the skill was found/,
    );
    assert.equal(await frame.getByText('no access outside the skill was found').count(), 1);
    // The preview then has 400 pixels.
    await page.setViewportSize({ width: 1148, height: 800 });
    await screenshot('abilities, 400 pixels');
    await page.setViewportSize({ width: 1280, height: 800 });
    await scripts.getByRole('button', { name: 'terraform' }).click();
    await page.locator('.tab.active[data-resource-name="deploy.sh"]').waitFor();
  } finally {
    rmSync(own, { recursive: true });
  }
});
