package android.app;

import android.content.Context;
import android.content.Intent;
import android.content.SharedPreferences;
import android.os.Bundle;
import android.view.View;
import android.view.Window;
import android.window.SplashScreen;
import standin.Phone;
import standin.Screen;

public class Activity extends Context {
  private final Screen screen = new Screen(this);

  protected void onCreate(Bundle kept) {}

  protected void onStart() {}

  protected void onStop() {}

  protected void onDestroy() {}

  protected void onNewIntent(Intent intent) {}

  protected void onSaveInstanceState(Bundle kept) {}

  protected void onActivityResult(int request, int result, Intent data) {}

  public void onUserInteraction() {}

  public void onBackPressed() {
    Phone.note("leave");
  }

  public void setContentView(int layout) {}

  public <T extends View> T findViewById(int id) {
    return screen.find(id);
  }

  public Window getWindow() {
    return screen.window;
  }

  public Intent getIntent() {
    return Phone.launch;
  }

  public SharedPreferences getPreferences(int mode) {
    return Phone.preferences;
  }

  public final SplashScreen getSplashScreen() {
    Phone.needs(31);
    return screen;
  }

  public void startActivityForResult(Intent intent, int request) {
    Phone.start(intent);
  }
}
