package arena.holo.app;

import android.app.Activity;
import android.content.Intent;
import android.graphics.Color;
import android.os.Bundle;
import android.os.SystemClock;
import android.view.View;
import android.view.ViewGroup;
import android.webkit.CookieManager;
import android.webkit.WebView;

/** The app's one screen: the site, and a notice in its place where there is no page to show. */
public final class ArenaActivity extends Activity implements PageListener, Runnable {
  private static final String KEPT_URL = "url";
  /** A page that stops again so soon would go on stopping. */
  private static final long STOPPED_AGAIN_MS = 60 * 1000L;
  /** A tap on the page's switch of night and day has worked by then. */
  private static final long WORN_MS = 400;

  private final Origin origin = new Origin(Site.ORIGIN);
  private final Outside outside = new Outside(this);
  private final Runnable asking = new Runnable() {
    @Override
    public void run() {
      askSkin();
    }
  };
  private View root;
  private ViewGroup stage;
  private Skin skin;
  private Notice notice;
  private Whose whose;
  private Awake awake;
  private Chooser chooser;
  private PageClient client;
  /** Null while there is no engine, or its process has ended. */
  private WebView web;
  /** Where the player was last, of ours alone. */
  private String url;
  private boolean isVisible;
  private long stoppedAtMs = -STOPPED_AGAIN_MS;

  @Override
  protected void onCreate(Bundle kept) {
    super.onCreate(kept);
    setContentView(R.layout.arena);
    root = findViewById(R.id.root);
    stage = (ViewGroup) findViewById(R.id.stage);
    root.setOnApplyWindowInsetsListener(new Edges());
    skin = new Skin(this);
    skin.wear();
    notice = new Notice(this, this);
    whose = new Whose(this);
    awake = new Awake(getWindow(), root);
    chooser = new Chooser(this, origin);
    String keptUrl = kept == null ? null : kept.getString(KEPT_URL);
    url = origin.owns(keptUrl) ? keptUrl : toLinkedUrl(getIntent(), origin.toAddress("/"));
    openPage();
  }

  @Override
  protected void onNewIntent(Intent intent) {
    String linked = toLinkedUrl(intent, null);
    if (linked == null) return;
    url = linked;
    if (web != null) web.loadUrl(linked);
  }

  /** Any program can start this screen with anything: a link to a table is all that is taken from it. */
  private String toLinkedUrl(Intent intent, String otherwise) {
    String linked = intent == null ? null : intent.getDataString();
    return origin.isGame(linked) ? linked : otherwise;
  }

  private void openPage() {
    try {
      web = new WebView(this);
    } catch (RuntimeException missing) {
      // So says Android, in several ways, where its WebView is missing, switched off or just being replaced.
      onFailed(Trouble.NO_ENGINE);
      return;
    }
    if (Engine.isTooOld(web.getSettings().getUserAgentString())) {
      closePage();
      onFailed(Trouble.OLD_ENGINE);
      return;
    }
    client = new PageClient(origin, outside, this);
    // Until the page is drawn, the window's ground shows through.
    web.setBackgroundColor(Color.TRANSPARENT);
    Page.setUp(web);
    web.setWebViewClient(client);
    web.setWebChromeClient(chooser);
    web.setDownloadListener(new Downloads(this, origin, outside));
    stage.addView(web, 0);
    web.loadUrl(url);
  }

  private void closePage() {
    whose.hide();
    stage.removeView(web);
    web.destroy();
    web = null;
  }

  /** The notice's button: begins anew where there is no page at all. */
  @Override
  public void run() {
    if (web == null) {
      notice.hide();
      openPage();
      return;
    }
    client.forgetFailure();
    web.reload();
  }

  @Override
  public void onMoved(String movedTo) {
    if (origin.owns(movedTo)) {
      url = movedTo;
      whose.hide();
    } else {
      whose.show(movedTo, skin);
    }
    awake.moveTo(origin.isGame(movedTo));
    askSkin();
  }

  @Override
  public void onShown() {
    notice.hide();
    askSkin();
  }

  @Override
  public void onFailed(Trouble trouble) {
    notice.show(trouble, skin);
  }

  @Override
  public void onGone(WebView gone) {
    closePage();
    awake.moveTo(false);
    long nowMs = SystemClock.elapsedRealtime();
    boolean isAgain = nowMs - stoppedAtMs < STOPPED_AGAIN_MS;
    stoppedAtMs = nowMs;
    if (isAgain) onFailed(Trouble.STOPPED);
    else if (isVisible) openPage();
  }

  private void askSkin() {
    if (web != null && origin.owns(web.getUrl())) skin.ask(web);
  }

  @Override
  public void onUserInteraction() {
    awake.touch();
    root.removeCallbacks(asking);
    root.postDelayed(asking, WORN_MS);
  }

  @Override
  @SuppressWarnings("deprecation")
  public void onBackPressed() {
    int steps = web == null ? 0 : Page.countStepsBack(web, origin);
    if (steps > 0) web.goBackOrForward(-steps);
    else super.onBackPressed();
  }

  @Override
  protected void onActivityResult(int request, int result, Intent data) {
    if (request == Chooser.REQUEST) chooser.onChosen(result, data);
  }

  @Override
  protected void onStart() {
    super.onStart();
    isVisible = true;
    if (web != null) web.onResume();
    // Whoever went to switch the network or the WebView on, and comes back, need not say so.
    if (notice.isShown() || web == null) run();
  }

  @Override
  protected void onStop() {
    super.onStop();
    isVisible = false;
    if (web == null) return;
    web.onPause();
    // The process can be ended from here on without another word.
    CookieManager.getInstance().flush();
  }

  @Override
  protected void onSaveInstanceState(Bundle kept) {
    super.onSaveInstanceState(kept);
    // The address alone: a whole history can outgrow what Android takes, and would end the app.
    kept.putString(KEPT_URL, url);
  }

  @Override
  protected void onDestroy() {
    if (web != null) closePage();
    super.onDestroy();
  }
}
