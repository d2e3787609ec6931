/** The composition graph of a thousand skills. */
import { strict as assert } from 'node:assert';
import { after, test } from 'node:test';
import { type GraphPage, open } from './composition-graph-page.ts';
import { manySkills } from './composition-graph-reply.ts';
import { closeBrowser } from './page.ts';

after(closeBrowser);

/** Measures CPU time, which other work on the machine affects less. */
async function clockOf({ page }: GraphPage): Promise<() => Promise<number>> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' });
  return async () => {
    const { metrics } = await devtools.send('Performance.getMetrics');
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000;
  };
}

test('the graph opens quickly with a thousand connected skills, and renders only the visible part', async () => {
  const webview = await open({ width: 1200 });
  const { page } = webview;
  const spent = await clockOf(webview);
  const began = await spent();
  await webview.send(manySkills(1000));
  await page.locator('.node.group', { hasText: '700 skills' }).waitFor();
  const shown = (await spent()) - began;
  assert.equal(await page.locator('.node').count(), 3);
  await page.locator('.node.group', { hasText: '700 skills' }).click();
  await page.locator('.node.skill').first().waitFor();
  const opened = (await spent()) - began - shown;
  const drawn = await page.locator('.node').count();
  const start = await spent();
  const frames = 60;
  await page.evaluate(
    (count) =>
      new Promise<void>((resolve) => {
        const frame = document.querySelector('.canvas-frame');
        let left = count;
        const step = (): void => {
          frame?.dispatchEvent(new WheelEvent('wheel', { deltaX: 5, deltaY: 60, cancelable: true }));
          if (left-- > 0) requestAnimationFrame(step);
          else resolve();
        };
        requestAnimationFrame(step);
      }),
    frames,
  );
  const pan = ((await spent()) - start) / frames;
  console.log(
    `    1,000 skills ${shown.toFixed(0)} ms of CPU, 700 cards ${opened.toFixed(0)} ms, a frame of a pan ${pan.toFixed(1)} ms`,
  );
  assert.ok(drawn < 150 && (await page.locator('.node').count()) < 150, `${drawn} cards`);
  assert.ok(shown < 1000 && opened < 1000 && pan < 25, `${shown} ms, ${opened} ms, ${pan} ms`);
  await webview.close();
});
