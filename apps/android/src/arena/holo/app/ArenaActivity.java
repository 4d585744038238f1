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

/** The app's only screen: the site, or a notice without a page. */
public final class ArenaActivity extends Activity implements PageListener, Runnable {
  private static final String KEPT_URL = "url";
  /** A page whose process ends again within this time is not reopened. */
  private static final long STOPPED_AGAIN_MS = 60 * 1000L;
  /** A tap on the page's theme switch has taken effect by then. */
  private static final long THEME_SETTLED_MS = 400;

  private final Origin origin = new Origin(Site.ORIGIN);
  private final ExternalLinks externalLinks = new ExternalLinks(this);
  private final Runnable asking = new Runnable() {
    @Override
    public void run() {
      askTheme();
    }
  };
  private View root;
  private ViewGroup stage;
  private PageTheme theme;
  private Notice notice;
  private ForeignPageBar pageBar;
  private ScreenWake screenWake;
  private FileChooser fileChooser;
  private PageClient client;
  /** Null without an engine or after its process ended. */
  private WebView web;
  /** The last address of our site. */
  private String url;
  private boolean isVisible;
  private long stoppedAtMs = -STOPPED_AGAIN_MS;

  @Override
  protected void onCreate(Bundle kept) {
    super.onCreate(kept);
    setContentView(R.layout.arena);
    root = findViewById(R.id.root);
    stage = (ViewGroup) findViewById(R.id.stage);
    root.setOnApplyWindowInsetsListener(new WindowEdges());
    theme = new PageTheme(this);
    theme.apply();
    notice = new Notice(this, this);
    pageBar = new ForeignPageBar(this);
    screenWake = new ScreenWake(getWindow(), root);
    fileChooser = new FileChooser(this, origin);
    String keptUrl = kept == null ? null : kept.getString(KEPT_URL);
    url = origin.owns(keptUrl) ? keptUrl : toLinkedUrl(getIntent(), origin.toAddress("/"));
    openPage();
  }

  @Override
  protected void onNewIntent(Intent intent) {
    String linked = toLinkedUrl(intent, null);
    if (linked == null) return;
    url = linked;
    if (web == null) return;
    client.forgetFailure();
    web.loadUrl(linked);
  }

  /** Any program can send intents; only links to tables and invitations are accepted. */
  private String toLinkedUrl(Intent intent, String otherwise) {
    String linked = intent == null ? null : origin.toLink(intent.getDataString());
    return linked == null ? otherwise : linked;
  }

  private void openPage() {
    try {
      web = new WebView(this);
    } catch (RuntimeException missing) {
      // Android throws several types if WebView is missing, disabled or being updated.
      onFailed(LoadError.NO_ENGINE);
      return;
    }
    if (Engine.isTooOld(web.getSettings().getUserAgentString())) {
      closePage();
      onFailed(LoadError.OLD_ENGINE);
      return;
    }
    client = new PageClient(origin, externalLinks, this);
    // Until the page is drawn, the window's background is visible.
    web.setBackgroundColor(Color.TRANSPARENT);
    Page.setUp(web);
    web.setWebViewClient(client);
    web.setWebChromeClient(fileChooser);
    web.setDownloadListener(new Downloads(this, origin, externalLinks));
    stage.addView(web, 0);
    web.loadUrl(url);
  }

  private void closePage() {
    pageBar.hide();
    stage.removeView(web);
    web.destroy();
    web = null;
  }

  /** The retry button. */
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
      pageBar.hide();
    } else {
      pageBar.show(movedTo, theme);
    }
    screenWake.moveTo(origin.isGame(movedTo));
    askTheme();
  }

  @Override
  public void onShown() {
    notice.hide();
    askTheme();
  }

  @Override
  public void onFailed(LoadError loadError) {
    notice.show(loadError, theme);
  }

  @Override
  public void onGone(WebView gone) {
    closePage();
    screenWake.moveTo(false);
    long nowMs = SystemClock.elapsedRealtime();
    boolean isAgain = nowMs - stoppedAtMs < STOPPED_AGAIN_MS;
    stoppedAtMs = nowMs;
    if (isAgain) onFailed(LoadError.STOPPED);
    else if (isVisible) openPage();
  }

  private void askTheme() {
    if (web != null && origin.owns(web.getUrl())) theme.ask(web);
  }

  @Override
  public void onUserInteraction() {
    screenWake.touch();
    root.removeCallbacks(asking);
    root.postDelayed(asking, THEME_SETTLED_MS);
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
    if (request == FileChooser.REQUEST) fileChooser.onChosen(result, data);
  }

  @Override
  protected void onStart() {
    super.onStart();
    isVisible = true;
    if (web != null) web.onResume();
    // The player may return from enabling the network or WebView, or by a link that is loading.
    if (web == null || client.hasFailed()) run();
  }

  @Override
  protected void onStop() {
    super.onStop();
    isVisible = false;
    if (web == null) return;
    web.onPause();
    // Android may end the process from here on.
    CookieManager.getInstance().flush();
  }

  @Override
  protected void onSaveInstanceState(Bundle kept) {
    super.onSaveInstanceState(kept);
    // A whole history can exceed Android's limit, which ends the app.
    kept.putString(KEPT_URL, url);
  }

  @Override
  protected void onDestroy() {
    if (web != null) closePage();
    super.onDestroy();
  }
}
