package android.content;

import android.net.Uri;

public class Intent {
  public static final String ACTION_VIEW = "android.intent.action.VIEW";
  public static final String ACTION_SENDTO = "android.intent.action.SENDTO";
  public static final String CATEGORY_BROWSABLE = "android.intent.category.BROWSABLE";
  public static final int FLAG_ACTIVITY_NEW_TASK = 0x10000000;

  private final String action;
  private final Uri data;
  private String category = "";

  public Intent(String action, Uri data) {
    this.action = action;
    this.data = data;
  }

  public Intent addCategory(String category) {
    this.category = " " + category;
    return this;
  }

  public Intent addFlags(int flags) {
    return this;
  }

  public String getDataString() {
    return data == null ? null : data.toString();
  }

  @Override
  public String toString() {
    return action + category + " " + data;
  }
}
